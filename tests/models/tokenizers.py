"""The shipped tokenizer as transformers' models have it."""

from typing import Any

from veridic.models.onnx_encoder import SHIPPED


def shipped_tokenizer(longest: int, **told: Any) -> Any:
    """A tokenizer that saves itself beside a model; needs transformers."""
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(
        tokenizer_file=str(SHIPPED / "embedder" / "tokenizer.json"),
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        unk_token="[UNK]",
        mask_token="[MASK]",
        model_max_length=longest,
        **told,
    )
