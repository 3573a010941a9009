"""The words the model reads: the prompt contract, its reminder, results and retries. Data only.

A change here changes what every model behind the emulation does. Raise `VERSION` with it;
a test holds the digest of this file's texts against it.
"""

VERSION = 1

# Braces are for `str.format`; the fence carries the request's nonce.
CONTRACT = """\
# Tools

You can act through tools. A program reads your reply, runs every action in it and gives you \
the results in the next message. This is the only way to use them, and it works: never say \
that you have no tools or no access to something a tool below gives you.

To act, write an action block, exactly in this form:

{example}

Rules:
- One JSON object a block: "tool" is a name from the list below, "parameters" its arguments. \
Valid JSON, strings escaped, nothing left out or abbreviated.
- {count}
- A short sentence before a block is welcome. Write nothing after the last block: stop and wait \
for the results. Never write a result yourself.
- When results arrive, decide what is next: another action if something is still missing, or \
the final answer as plain text without any block.
- Show examples or quote such blocks only inside a fence of four backticks.
- {choice}

Example of a result and the decision after it:

{sequel}

The tools, as signatures (`?` marks what may be left out):

{signatures}"""

CHOICES = {
    "auto": "Act when a tool gives you what the request needs. If no tool fits, or none is needed, "
    "answer directly.",
    "none": "Do not use a tool in this reply: answer in plain text, without any action block.",
    "required": "This reply must contain at least one action block.",
    "named": "This reply must contain an action block that calls {name}, and no other tool.",
}
PARALLEL = "Several actions that do not depend on each other may go into one reply, a block each."
SINGLE = "At most one action block a reply."

REMINDER = (
    "[Reminder: to act, write ```json action {nonce} with "
    '{{"tool": …, "parameters": {{…}}}} and stop; otherwise answer in plain text. '
    "Tools: {names}.]"
)

EXAMPLE = '{{"tool": "{tool}", "parameters": {parameters}}}'
SEQUEL = """\
[Result of {tool} ({id})]
{result}
[End of result. Decide: another action, or the final answer?]

Reply: {answer}"""
SEQUEL_RESULT = "3 files: a.txt, b.txt, c.txt"
SEQUEL_ANSWER = "There are three files: a.txt, b.txt and c.txt."

RESULT = "[Result of {tool} ({id})]\n{content}\n[End of result.]"
RESULT_ERROR = "[Error from {tool} ({id})]\n{content}\n[End of error.]"
RESULT_EMPTY = "(it succeeded and gave no output)"
RESULT_ERROR_EMPTY = "(it failed and said nothing about why)"
RESULT_MEDIA = "(the result holds {count} attached below)"
RESULT_ELIDED = "\n[… {count} characters of {total} left out here …]\n"
NEXT = "Decide what is next: another action, or the final answer?"
NEXT_AFTER_ERROR = (
    "Decide what is next: correct the action and try again, take another way, or explain the "
    "problem in the final answer."
)

RETRY_MARK = "[Your reply could not be used.]"
RETRY = {
    "refusal": "You said that you cannot do this, but you can: the tools {names} are available "
    "through action blocks. If one of them helps with the request, reply with the action block "
    "now. If none does, say so in one sentence.",
    "announced": "You announced an action but wrote no action block, so nothing happened. Write "
    "the block now. If no tool is needed after all, give the final answer.",
    "invalid": "The action block was not run: {fault}. Write the whole corrected block again, "
    "and nothing else. If no tool fits, answer in plain text instead.",
    "truncated": "The action block was cut off before its end and was not run. Write it again, "
    "complete and shorter: split a long text over several actions.",
    "required": "An action block was required in this reply and there was none. Reply with one "
    "now. The tools are: {names}.",
    "named": "This reply had to call {name}, and did not. Reply with that action block now.",
    "forbidden": "No tool may be used in this reply. Answer in plain text, without any action "
    "block.",
}
RETRY_FORM = "The form is:\n\n{example}"

HONEST_END = (
    "I tried to use a tool, but the call could not be carried out: {fault}. "
    "Please ask again, or put the request differently."
)

# Texts a result must not begin with once an action was written: the model is inventing one.
INVENTED_RESULTS = (
    "[Result of",
    "[Error from",
    "Observation:",
    "Tool result:",
    "Tool output:",
    "<tool_response>",
    "<tool_result>",
    "<function_results>",
    "<result>",
    "Result:",
    "Output:",
)
