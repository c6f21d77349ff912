/**
 * A text as a screen shows it: without colours, also those that JSON or `cat -v` spell out, without
 * tags of HTML, and without letters that others are printed over. Tag characters become the letters
 * that they hide. Only for searches: any of these may stand between the letters of a secret. Pure.
 */

/** An escape character, or the spelling of one. Runs are bounded, so that the search is linear. */
const ESCAPE = String.raw`(?:\u001b|\\{1,4}(?:u001b|x1b|e|0?33)|\^\[|%1b|&#(?:27|x1b);)`;
const END = String.raw`(?:\u0007|${ESCAPE}\\{1,4}|\\{1,4}u0007|\^G)`;
const NOT_SEEN = new RegExp(
  [
    String.raw`${ESCAPE}(?:\[[0-?]*[ -/]*[@-~]|[\]P](?:(?!${END})[^\n]){0,200}${END}|[ -/][0-~])`,
    String.raw`(?:\u009b|\\{1,4}u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`<\/?[a-z][^<>\n]{0,200}>`,
    String.raw`[^\n\u0008]\u0008`,
  ].join('|'),
  'gi',
);
/** A text without any of these is shown as it is. */
const HIDING = String.raw`[\u001b\u009b\u0008<\\^%&\u{e0020}-\u{e007e}]`;
const MAY_HIDE = new RegExp(HIDING, 'u');
const TAGS = /[\u{e0020}-\u{e007e}]/gu;

export const asSeen = (text: string): string =>
  MAY_HIDE.test(text)
    ? text.replace(NOT_SEEN, '').replace(TAGS, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000))
    : text;
