import { describe, expect, it } from 'vitest';
import { isDrawing } from '../../../lib/core/text/drawing.ts';

const svg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"${attributes}>${inner}</svg>`;

describe('isDrawing', () => {
  it.each([
    svg('<rect x="1" y="2" width="3" height="4" fill="teal"/><text x="1" y="2">A &amp; B</text>'),
    `<?xml version="1.0" encoding="UTF-8"?>\n${svg('<g><path d="M0 0L9 9"/></g>')}\n`,
    svg(
      '<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><style>.x{fill:url(#a)}</style><circle r="1"/>',
    ),
  ])('takes a drawing of shapes and text: %s', (content) => {
    expect(isDrawing(content)).toBe(true);
  });

  it.each([
    'a text',
    '<html><svg ></svg></html>',
    `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`,
    svg('<script>alert(1)</script>'),
    svg('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>'),
    svg('<foreignObject><b>a</b></foreignObject>'),
    svg('<image href="https://example.com/a.png"/>'),
    svg('<a xlink:href="javascript:alert(1)"><text>a</text></a>'),
    svg('<text>a</text><set attributeName="href" to="javascript:alert(1)"/>'),
    svg('', ' onload="alert(1)"'),
    svg('', '\nonload = "alert(1)"'),
    svg('<rect fill="url(https://example.com/a)"/>'),
    svg('<rect fill="u&#114;l(//example.com)"/>'),
    svg('<style>@import "//example.com/a.css";</style>'),
    svg('<style>rect{fill:u\\72l(//example.com)}</style>'),
    `${svg('')}<script>alert(1)</script>`,
    svg('<!-- > --><rect/>'),
  ])('takes no drawing that could run or load anything: %s', (content) => {
    expect(isDrawing(content)).toBe(false);
  });
});
