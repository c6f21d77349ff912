/**
 * Source text as tests about sources see it: without comment lines, so that a better comment
 * changes nothing.
 */

/**
 * The code lines of a file. Comments behind code on the same line stay: this is for files kept by
 * the formatter.
 */
export const codeOf = (source: string): string =>
  source
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/\*|\*)/.test(line))
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
