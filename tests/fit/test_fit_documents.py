"""Documents: taken where they are taken, told as text where they are text, else refused."""

import pytest

from majordomo.contract import (
    Capabilities,
    Document,
    DocumentLimits,
    Image,
    Request,
    Unsupported,
    user,
)
from majordomo.fit import fit
from support.gallery import picture, saved


class TestDocuments:
    PDF = Document(data=b"%PDF-1.7 ...", mime="application/pdf", name="a.pdf")

    def with_documents(self, limits: DocumentLimits | None) -> Capabilities:
        return Capabilities(documents=limits)

    def test_a_pdf_passes_where_documents_are_taken(self) -> None:
        request = Request(messages=(user(self.PDF),))
        capabilities = self.with_documents(DocumentLimits())
        assert fit(request, capabilities, dialect="anthropic").request is request

    def test_and_is_refused_where_they_are_not(self) -> None:
        with pytest.raises(Unsupported, match=r"document \(application/pdf\)"):
            fit(
                Request(messages=(user(self.PDF),)),
                self.with_documents(None),
                dialect="openai_chat",
            )

    def test_text_is_told_as_text_instead(self) -> None:
        notes = Document(data="grüße".encode(), mime="text/plain", name="n.txt")
        fitted = fit(
            Request(messages=(user(notes),)), self.with_documents(None), dialect="openai_chat"
        )
        assert fitted.request.messages[0].text == '<document name="n.txt">\ngrüße\n</document>'
        assert [note.kind for note in fitted.notes] == ["mapped"]

    def test_a_pdf_called_an_image_becomes_the_document_it_is(self) -> None:
        request = Request(messages=(user(Image(data=self.PDF.data, mime="image/png")),))
        fitted = fit(request, self.with_documents(DocumentLimits()), dialect="anthropic")
        part = fitted.request.messages[0].parts[0]
        assert part == Document(data=self.PDF.data, mime="application/pdf")

    def test_an_image_called_a_document_becomes_the_image_it_is(self) -> None:
        data = saved(picture(), "PNG")
        request = Request(messages=(user(Document(data=data, mime="application/pdf")),))
        fitted = fit(request, self.with_documents(None), dialect="anthropic")
        assert fitted.request.messages[0].parts == (Image(data=data, mime="image/png"),)

    @pytest.mark.parametrize(
        ("limits", "problem"),
        [
            (DocumentLimits(max_bytes=5), "5 are allowed"),
            (DocumentLimits(max_count=0), "1 documents; 0 are allowed"),
        ],
    )
    def test_limits_of_documents_hold(self, limits: DocumentLimits, problem: str) -> None:
        with pytest.raises(Unsupported, match=problem):
            fit(
                Request(messages=(user(self.PDF),)),
                self.with_documents(limits),
                dialect="anthropic",
            )

    def test_a_lie_about_a_pdf_is_refused(self) -> None:
        lie = Document(data=b"not at all", mime="application/pdf")
        with pytest.raises(Unsupported, match="called a PDF and is none"):
            fit(
                Request(messages=(user(lie),)),
                self.with_documents(DocumentLimits()),
                dialect="anthropic",
            )
