/**
 * Mutants that no test can notice, or that none should: each with the reason. `check.ts` holds this
 * list against the report of a run, and complains about reasons that explain nothing any more.
 */

interface Survivor {
  /** Path, or the beginning of one. */
  readonly file: string;
  /** Name of Stryker's mutator; any if absent. */
  readonly mutator?: string;
  /** Source text that the mutant replaces. */
  readonly original: RegExp;
  /** Text of the mutant; any if absent. */
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
    file: 'lib/core/approvals/taint-source.ts',
    original: /^default: return \[\];$/,
    why: 'a set of nothing is as empty as one of no names',
  },
  {
    file: 'lib/core/gates/rules/provenance.ts',
    mutator: 'StringLiteral',
    original: /^'(?:webhook|telegram|console)'$/,
    why: 'a target that is not named falls to the default, which says the same: it leaves the space',
  },
  {
    file: 'lib/core/gates/engine/build-gate-set.ts',
    mutator: 'EqualityOperator',
    original: /^a\.name < b\.name$/,
    why: 'two gates of one name are a fault of the list that is found before: their order never matters',
  },
  {
    file: 'lib/core/gates/engine/verify.ts',
    mutator: 'ConditionalExpression',
    original: /^answer === PASS$/,
    why: 'a short way for the usual answer: the schema says the same, later',
  },
  {
    file: 'lib/core/gates/engine/verify.ts',
    mutator: 'BlockStatement',
    original: /return undefined;/,
    why: 'a function that returns nothing returns undefined',
  },
  {
    file: 'lib/core/gates/rules/standing-invariants.ts',
    mutator: 'StringLiteral',
    original: /^'pass'$/,
    why: 'only asking and blocking are looked for: any other word is a remark',
  },
  {
    file: 'lib/core/gates/rules/standing-invariants.ts',
    mutator: 'ConditionalExpression',
    original: /^broken\.length === 0$/,
    why: 'nothing found gives the same verdict with an empty reason',
  },
  {
    file: 'lib/core/gates/rules/standing-invariants.ts',
    mutator: 'MethodExpression',
    original: /^action\.explanation\.slice/,
    why: 'a bound on time: an explanation of that length is refused elsewhere',
  },
  {
    file: 'lib/core/gates/rules/protocol-schema.ts',
    original: /^(?:json\.length \* 3 <= ACTION_BYTES_MAX|\[\]|value === undefined)$/,
    why: 'a short way for small actions; a field of that name exists in no action; a value that is no text is absent',
  },
  {
    file: 'lib/core/gates/rules/secret-formats.ts',
    original:
      /^(?:!pattern\.test\(text\)|isKnown\[key\] === 0|possible\.has\(format\)|decoded\.length === 0|'the action')$/,
    why: 'a short way past forms that cannot match; a form that was found stands in some field',
  },
  {
    file: 'lib/core/gates/rules/address-ranges.ts',
    mutator: 'StringLiteral',
    original: /^'ipv6'$/,
    why: 'an address list of Node takes every other word for the same',
  },
  {
    file: 'lib/core/text/privacy.ts',
    original: /^(?:!needed\.test\(canonical\)|\/\[\*#\]\/)$/,
    why: 'a short way around searches that would find nothing',
  },
  {
    file: 'lib/core/text/canonical-text.ts',
    mutator: 'Regex',
    original: /^\/[xu]\[0-9a-f\]/,
    why: 'whether the digits are digits is judged again where they are read',
  },
  {
    file: 'lib/core/text/canonical-text.ts',
    original:
      /^(?:!BEYOND_ASCII\.test\(text\)|Math\.min\(.*|to === whole\.length|out\.slice\(-TAIL_CHARS\)|tail\.slice\(-5\)|-1|at >= 0.*|at >= out\.length - TAIL_CHARS|out\.length - 1|at < text\.length|char !== undefined|''|\{.*)$/,
    why: 'a short way past what no escape can reach, or a look at more than is needed: the same comes out, later',
  },
  {
    file: 'lib/core/gates/',
    mutator: 'OptionalChaining',
    original: /^(?:parents|nodes)\.get\(id\)\?|^labels\.at\(-1\)\?|^strings\.find\(/,
    why: 'types ask for it, of a value that is always there',
  },
  {
    file: 'lib/',
    mutator: 'ArrayDeclaration',
    original: /^\[\]$/,
    why: 'a default that types ask for: a child or a tag of a name that nothing has',
  },
  {
    file: 'lib/core/gates/rules/standing-invariants.ts',
    mutator: 'ArrayDeclaration',
    original: /^\[\]$/,
    why: 'a default that types ask for: a word of no meaning is empty',
  },
  {
    file: 'lib/core/text/path-canonical.ts',
    original: /^(?:round < PATH_DECODE_ROUNDS_MAX|round \+= 1|end > 0)$/,
    why: 'a bound on rounds after which nothing changes any more, and a look before the first character',
  },
  {
    file: 'lib/core/text/find-secret-path.ts',
    original: /^(?:end > 0|star >= 0|\[\])$/,
    why: 'a look before the first character, a star that is there where it is asked for, and parts no pattern has',
  },
  {
    file: 'lib/features/runner/shell/',
    original: /^(?:index|at|own|entry|run\.upstream\.length) > 0$|^run\.words\.slice\(1\)$|^run\.words$/,
    why: 'the name of a program is none of its words, and what nothing goes into has no known input',
  },
  {
    file: 'lib/core/gates/rules/find-secrets.ts',
    original: /^(?:'utf8'|searched\.length === 0)$/,
    why: 'what Node does without being told, and a short way where there is nothing to look for',
  },
  {
    file: 'lib/core/text/privacy.ts',
    mutator: 'Regex',
    original: /^\/\[\\s,;:/,
    why: 'between two signs stands an empty word, which is no tag',
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
