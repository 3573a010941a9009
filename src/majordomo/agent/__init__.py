"""Give it functions and a model, get work done: toolbox, loop, and tools from MCP servers."""

from .agent import Agent
from .approval import Approve
from .encode import ToolError
from .event import AgentEvent, CallFinished, CallStarted, RunDone, TurnDone
from .history import dump_history, load_history
from .limits import Ending, Limits
from .loop import AgentStream
from .mcp import McpToolbox, mcp_http, mcp_stdio
from .run import Run
from .stop import Progress, Until, after_call, after_words
from .tool import ToolFunction, tool
from .toolbox import Toolbox

__all__ = [
    "Agent",
    "AgentEvent",
    "AgentStream",
    "Approve",
    "CallFinished",
    "CallStarted",
    "Ending",
    "Limits",
    "McpToolbox",
    "Progress",
    "Run",
    "RunDone",
    "ToolError",
    "ToolFunction",
    "Toolbox",
    "TurnDone",
    "Until",
    "after_call",
    "after_words",
    "dump_history",
    "load_history",
    "mcp_http",
    "mcp_stdio",
    "tool",
]
