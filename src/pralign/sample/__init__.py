"""The bundled sample: everyday prose in English and French, its first pairs aligned by hand."""

from pathlib import Path

SOURCE = Path(__file__).with_name("everyday.en")
TARGET = Path(__file__).with_name("everyday.fr")
GOLD = Path(__file__).with_name("everyday.gold")
