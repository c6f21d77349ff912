/** The size that a picture's header says, and hostile headers. */
import { describe, expect, it } from 'vitest';
import { picturePixels } from '../../../lib/features/documents/picture-size.ts';

const bytes = (hex: string, length = 0) => {
  const head = Buffer.from(hex.replace(/\s/g, ''), 'hex');
  return Buffer.concat([head, Buffer.alloc(Math.max(0, length - head.length))]);
};
const riff = '52494646 00000000 57454250';

describe('picturePixels', () => {
  it.each([
    ['PNG', 'png', bytes('89504e470d0a1a0a 0000000d 49484452 00002000 00001388'), 8_192 * 5_000],
    ['JPEG', 'jpeg', bytes('ffd8 ffe0 0004 0000 ffc0 0011 08 1388 2000'), 8_192 * 5_000],
    ['JPEG, progressive, behind filling', 'jpeg', bytes('ffd8 ffff c4 0003 00 ffc2 0011 08 0001 ffff'), 65_535],
    ['WebP', 'webp', bytes(`${riff} 56503820 00000000 000000 9d012a 0a00 1400`), 200],
    ['WebP without loss', 'webp', bytes(`${riff} 5650384c 00000000 2f ffff ff0f`), 16_384 * 16_384],
    ['WebP with more', 'webp', bytes(`${riff} 56503858 00000000 00000000 ffffff 010000`), 16_777_216 * 2],
    ['a header cut short', 'png', bytes('89504e47'), undefined],
    ['a PNG without a head', 'png', bytes('89504e470d0a1a0a 4f424559', 100), undefined],
    ['a JPEG without a frame', 'jpeg', bytes('ffd8 ffe0 ffff'), undefined],
    ['a JPEG whose segments do not grow', 'jpeg', bytes('ffd8 ffe0 0000', 100_000), undefined],
    ['no picture', 'gif', bytes('47494638'), undefined],
  ])('reads %s', (_name, type, picture, pixels) => {
    expect(picturePixels(type, picture)).toBe(pixels);
  });
});
