/**
 * Mutants that no test can notice, or that none should: each with the reason. `check.ts` holds this list against the report
 * of a run, and complains about reasons that explain nothing any more.
 */

interface Survivor {
  /** Path, or the beginning of one. */
  readonly file: string;
  /** Name of Stryker's mutator; any where absent. */
  readonly mutator?: string;
  /** What the mutant stands in place of. */
  readonly original: RegExp;
  /** What it is replaced by; anything where absent. */
  readonly replacement?: RegExp;
  readonly why: string;
}

export const SURVIVORS: readonly Survivor[] = [
  {
    file: 'lib/',
    original: /satisfies never/,
    why: 'the branch of a switch that types say is never reached',
  },
  {
    file: 'lib/',
    mutator: 'StringLiteral',
    original: /^''$/,
    replacement: /Stryker was here/,
    why: 'a default that types ask for, of a value that is always there',
  },
  {
    file: 'lib/approvals/taint-source.ts',
    original: /^default: return \[\];$/,
    why: 'a set of nothing is as empty as one of no names',
  },
  {
    file: 'lib/gates/provenance.ts',
    mutator: 'StringLiteral',
    original: /^'(?:webhook|telegram|console)'$/,
    why: 'a target that is not named falls to the default, which says the same: it leaves the space',
  },
  {
    file: 'lib/gates/build-gate-set.ts',
    mutator: 'EqualityOperator',
    original: /^a\.name < b\.name$/,
    why: 'two gates of one name are a fault of the list that is found before: their order never matters',
  },
  {
    file: 'lib/gates/run-gate.ts',
    mutator: 'ConditionalExpression',
    original: /^answer === PASS$/,
    why: 'a short way for the usual answer: the schema says the same, later',
  },
  {
    file: 'lib/gates/run-gates.ts',
    mutator: 'BlockStatement',
    original: /return undefined;/,
    why: 'a function that returns nothing returns undefined',
  },
  {
    file: 'lib/gates/standing-invariants.ts',
    mutator: 'StringLiteral',
    original: /^'pass'$/,
    why: 'only asking and blocking are looked for: any other word is a remark',
  },
  {
    file: 'lib/gates/standing-invariants.ts',
    mutator: 'ConditionalExpression',
    original: /^(?:broken\.length === 0|seconds !== undefined)$/,
    why: 'nothing found gives the same verdict with an empty reason, and nothing is less than a number',
  },
  {
    file: 'lib/gates/standing-invariants.ts',
    mutator: 'MethodExpression',
    original: /^action\.explanation\.slice/,
    why: 'a bound on time: an explanation of that length is refused elsewhere',
  },
  {
    file: 'lib/gates/protocol-schema.ts',
    original: /^(?:json\.length \* 3 <= ACTION_BYTES_MAX|\[\]|value === undefined)$/,
    why: 'a short way for small actions; a field of that name exists in no action; a value that is no text is absent',
  },
  {
    file: 'lib/gates/urls-in-text.ts',
    original:
      /^(?:!word\.includes\(':\/\/'\)|':\/\/'|!?\/\[\/\.\]\/(?:\.test\(text\))?|start < 0|-1|starts\.length === 0|end > 0|slash < 0|word\.slice\(from, from \+ slash\)\.slice\(-HOST_CHARS_MAX\)|\/hxxps\?:.*)$/,
    why: 'a short way around a search that would find nothing, or a bound on its time: the same comes out',
  },
  {
    file: 'lib/gates/secret-formats.ts',
    original: /^(?:!ANY_HINT\.test\(lowerCase\)|format\.hints\..*|'the action')$/,
    why: 'a short way past forms that cannot match; a form that was found stands in some field',
  },
  {
    file: 'lib/gates/outside-url.ts',
    original:
      /^(?:url\.(?:username|password) !== ''.*|literal === url\.hostname|'the host is not an address that can be read'|\/\^\\\[\|\\\]\$\/g)$/,
    why: 'whoever is named before the host is found by the @ as well; brackets stand only around an address the URL standard has read',
  },
  {
    file: 'lib/gates/find-shell-dangers.ts',
    original: /SHELL_(?:STEPS|DEPTH)_MAX|^search\.dangers\.add\(UNREADABLE\);$|^\{ \/\/ Nested beyond/,
    why: 'a bound on time that commands of the longest length do not reach, behind bounds that they do',
  },
  {
    file: 'lib/gates/privacy-tags.ts',
    original: /\[@:=\]/,
    why: 'a short way around three searches that would find nothing',
  },
  {
    file: 'lib/gates/canonical-text.ts',
    mutator: 'Regex',
    original: /^\/\^(?:x\[0-9a-f\]|\[0-3\]|u\[0-9a-f\])|u\\\{\(/,
    why: 'the text it looks at has exactly the length of the pattern',
  },
  {
    file: 'lib/gates/canonical-text.ts',
    original:
      /^(?:next > at|.*out\.length - signAt > TAIL_CHARS|whole\.length <= PIECE_CHARS|-1|out\.length - 1|out\[out\.length - \d\] === '\\\\'|!mayEndEscape\(.*|reachable < 0|ESCAPE\.test\(.*)$/,
    why: 'a short way past what no escape can reach: the same comes out, later',
  },
];

export const explanationOf = (
  file: string,
  mutator: string,
  original: string,
  replacement: string,
): string | undefined =>
  SURVIVORS.find(
    (one) =>
      file.startsWith(one.file) &&
      (one.mutator === undefined || one.mutator === mutator) &&
      one.original.test(original) &&
      (one.replacement === undefined || one.replacement.test(replacement)),
  )?.why;
