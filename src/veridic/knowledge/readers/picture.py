"""Pictures (PNG, JPEG, TIFF): the text that is recognised in them."""

import io

from veridic.errors import NothingRecognised
from veridic.knowledge.readers import ocr
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.knowledge.readers.pdf import paragraphs
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

FORMATS = ("PNG", "JPEG", "TIFF")

BYTES_PER_PIXEL = 3


def read_picture(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Recognise the text of a picture, page by page where it has several.

    Raises `NothingRecognised`, other `DocumentUnreadable`, and whatever Pillow raises on a corrupt one.
    """
    from PIL import Image, ImageSequence

    Image.MAX_IMAGE_PIXELS = None  # what it may unpack to is a limit of ours
    composer = Composer()
    with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
        if getattr(picture, "n_frames", 1) > limits.pages:
            raise limits.beyond("pages")
        for number, frame in enumerate(ImageSequence.Iterator(picture), start=1):
            if frame.width * frame.height * BYTES_PER_PIXEL > limits.unpacked_bytes:
                raise limits.beyond("unpacked_bytes")
            for paragraph in paragraphs(clean(ocr.recognised(frame))):
                composer.block(paragraph, Place("page", number, number))
    document = composer.finish("")
    if not document.blocks:
        raise NothingRecognised("No text is seen in it.", "Leave it out.")
    return document
