/**
 * Facts are whole or they are none: every part is checked, when they are judged by and when they
 * are read back.
 */
import { describe, expect, it } from 'vitest';
import {
  ApprovalFacts,
  CodeLanguage,
  type CodeProblem,
  FACT_DEFAULTS,
  Facts,
  GrantFacts,
  type NetworkFacts,
  type ShellFacts,
  StoredFacts,
} from '../../../lib/core/signal/facts.ts';
import { missesOf } from '../../support/misses.ts';
import { factsFor, NOW, reply } from '../gates/samples.ts';

const network: NetworkFacts = {
  isConfigured: true,
  configuredUrl: 'https://a.example/',
  addresses: ['93.184.215.14'],
  isLoopbackAllowed: false,
};
const shell: ShellFacts = { rulesVersion: 1, dangers: ['it reads credentials'] };
const approval: ApprovalFacts = {
  id: 'a',
  actionHash: 'b',
  policyVersion: 'c',
  space: 'd',
  state: 'approved',
  expiresAt: NOW,
};
const grant: GrantFacts = {
  id: 'a',
  actionHash: 'b',
  policyVersion: 'c',
  space: 'd',
  state: 'live',
  expiresAt: NOW,
  gates: ['permissions'],
  coversTaint: true,
};
const codeProblem: CodeProblem = { language: 'yaml', line: 3, problem: 'a key stands twice' };
const whole: Facts = factsFor(reply(), {
  network,
  shell,
  approval,
  grant,
  codeProblem,
  secrets: [{ name: 'TOKEN', field: 'text' }],
});

describe('Facts', () => {
  it('takes what is whole as it is', () => {
    expect(Facts.parse(whole)).toStrictEqual(whole);
  });

  const parts = { network, shell, approval, grant, codeProblem } as const;
  const lacking = Object.entries(parts).flatMap(([part, value]) =>
    Object.keys(value).map((key): readonly [string, string, object] => {
      const { [key]: _, ...rest } = value as Record<string, unknown>;
      return [part, key, { ...whole, [part]: rest }];
    }),
  );
  it('refuses parts that lack a field', () => {
    const misses = missesOf(lacking, ([, , facts]) => {
      expect(Facts.safeParse(facts).success).toBe(false);
    });
    expect(misses).toEqual([]);
  });

  it.each(Object.keys(parts))('refuses more in %s than belongs there', (part) => {
    const more = { ...Reflect.get(parts, part), isApproved: true };
    expect(Facts.safeParse({ ...whole, [part]: more }).success).toBe(false);
  });

  it.each<readonly [string, object]>([
    ['a secret without a field', { secrets: [{ name: 'a' }] }],
    ['a secret without a name', { secrets: [{ field: 'a' }] }],
    ['a secret with its value', { secrets: [{ name: 'a', field: 'text', value: 'b' }] }],
    ['an approval of no known state', { approval: { ...approval, state: 'given' } }],
    ['a grant of no known state', { grant: { ...grant, state: 'given' } }],
    ['a language nobody parses', { codeProblem: { ...codeProblem, language: 'cobol' } }],
    ['no origin', { origin: 'somebody' }],
  ])('refuses %s', (_name, changes) => {
    expect(Facts.safeParse({ ...whole, ...changes }).success).toBe(false);
  });

  it.each(['pending', 'approved', 'denied', 'expired', 'spent', 'spent-here'] as const)(
    'knows an approval that is %s',
    (state) => {
      expect(ApprovalFacts.parse({ ...approval, state })).toStrictEqual({ ...approval, state });
    },
  );
  it.each(['live', 'revoked', 'used-up', 'spent-here'] as const)('knows a grant that is %s', (state) => {
    expect(GrantFacts.parse({ ...grant, state })).toStrictEqual({ ...grant, state });
  });
  it.each(['json', 'yaml', 'javascript', 'typescript', 'cedar'] as const)('knows code in %s', (language) => {
    expect(CodeLanguage.parse(language)).toBe(language);
  });
});

describe('StoredFacts', () => {
  it('are whole again when they are read, with what was left out', () => {
    const left = new Set(Object.keys(FACT_DEFAULTS));
    const stored = Object.fromEntries(Object.entries(factsFor(reply())).filter(([key]) => !left.has(key)));
    expect(StoredFacts.parse(stored)).toStrictEqual({ ...stored, ...FACT_DEFAULTS });
  });

  it('keep what was stored', () => {
    expect(StoredFacts.parse(whole)).toStrictEqual(whole);
  });

  it('are not made up where what must be stored is missing', () => {
    const { policyVersion: _version, ...stored } = whole;
    expect(StoredFacts.safeParse(stored).success).toBe(false);
  });
});
