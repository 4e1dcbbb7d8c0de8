#!/usr/bin/env python3
"""A PNG for the documents: at most 900 points a side, 256 colours: shrink_picture.py FROM.png TO.png. Needs Pillow."""

import sys

from PIL import Image


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    picture = Image.open(sys.argv[1]).convert("RGB")
    picture.thumbnail((900, 900), Image.Resampling.LANCZOS)
    picture.quantize(256, kmeans=1, dither=Image.Dither.NONE).save(sys.argv[2], optimize=True)


if __name__ == "__main__":
    main()
