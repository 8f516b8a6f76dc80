"""Numbers that people type."""

import re
import unicodedata
from typing import Optional

_ARABIC_DIGITS = {base + digit: str(digit) for base in (0x0660, 0x06F0) for digit in range(10)}
# Default_Ignorable_Code_Point, as far as these characters are not in the categories Cc and Cf.
_IGNORABLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]")
_MARKS = frozenset(".,()/+_'\"\u2212")
# A spreadsheet writes 71234500.0. Without the point, it would have one more digit.
_DECIMAL = re.compile(r"[^.,]*[.,][0-9]{1,2}[^0-9]*")
_SHILLINGS = re.compile(r"(?:t[sz][hs]|shs?)?\.?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.00?)?(?:/[=-])?", re.IGNORECASE | re.ASCII)


def read_mobile(text: str) -> Optional[str]:
    """Reads a mobile number that a person typed or pasted. Returns its national form, ``0712345678``, or None.

    Accepts spaces, punctuation and invisible characters, full-width and Arabic digits, ``+255 (0) 712 345 678``, ``00255…``, and a number
    without the zero in front. Show the result to the person, who can then see a wrong reading.
    """
    if len(text) > 100:
        return None
    plain = re.sub("[oO]", "0", _normalize(text))
    if _DECIMAL.fullmatch(plain):
        return None
    digits = "".join(one for one in plain if one not in _MARKS and unicodedata.category(one) != "Pd")
    national = re.sub(r"^(?:(?:00)?2550?)?(?=[0-9]{9}\Z)", "0", digits)
    return national if re.fullmatch(r"0[67][0-9]{8}", national) else None


def read_shillings(text: str) -> Optional[int]:
    """Reads whole shillings that a person typed, such as ``TSh 2,000/=``. Returns None if the text is not a positive number of them.

    The ambiguous ``2.000`` is refused.
    """
    found = _SHILLINGS.fullmatch(_normalize(text)) if len(text) <= 40 else None
    digits = found.group(1).replace(",", "") if found else ""
    return (int(digits) or None) if 0 < len(digits) <= 15 else None


def _normalize(text: str) -> str:
    plain = _IGNORABLE.sub("", unicodedata.normalize("NFKC", text).translate(_ARABIC_DIGITS))
    return "".join(one for one in plain if unicodedata.category(one) not in ("Zs", "Zl", "Zp", "Cc", "Cf"))
