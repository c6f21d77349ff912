import { describe, expect, it } from 'vitest';
import { isUsable } from '../../../lib/core/approvals/grant.ts';
import { isWithin } from '../../../lib/core/approvals/is-within.ts';
import { buildCall } from '../../../lib/core/judge/build-actions.ts';
import type { Run } from '../../../lib/core/ledger/run.ts';
import { sha256Of } from '../../../lib/features/runbooks/begin-run.ts';
import { grantOfStep } from '../../../lib/features/runbooks/grant-of-step.ts';
import { parseRunbook } from '../../../lib/features/runbooks/parse-runbook.ts';
import { buildRunGrants } from '../../../lib/features/runbooks/run-grants.ts';

const NOW = 1_790_000_000_000;
const URLS = { deployer: 'https://deploy.example/hook', other: 'https://other.example/hook' };
const TEXT = `
name: test
description: A runbook of a test.
inputs: { service: { meaning: Name } }
tools: [call-webhook, forget]
steps:
  - id: first
    webhook: deployer
    body: { service: "{{inputs.service}}", fixed: 1 }
    if-fails: { retry: 2 }
    undo: { webhook: deployer, body: { undo: "{{steps.first.data.id}}" } }
    shape: { steps.first.data.id: "[0-9]{1,6}" }
  - each: "[1, 2]"
    most: 5
    steps:
      - webhook: deployer
        body: { n: "{{item}}", text: "{{inputs.service}} is {{steps.first.output}}" }
        shape: { item: { from: 1, to: 30 }, steps.first.output: [up, down] }
      - { webhook: deployer, body: { n: "{{item}}" } }
      - { webhook: deployer, body: { text: "{{item}} is {{steps.first.output}}" }, shape: { item: [1] } }
  - { tool: forget, args: { id: "{{inputs.service}}" } }
  - { ask: Shall I? }
`;

const parsed = parseRunbook('test', TEXT);
if (parsed.kind === 'problems') throw new Error(JSON.stringify(parsed.problems));
const { runbook } = parsed;

const run: Run = {
  schemaVersion: 1,
  id: 'run-0123456789ab',
  runbook: 'test',
  hash: sha256Of(TEXT),
  inputs: { service: 'shop' },
  origin: 'owner',
  session: 'run:0123456789ab',
  reply: { target: 'console', to: 'main' },
  by: 'telegram:7',
  askedBy: 'owner',
  approved: { by: 'telegram:7', policyVersion: 'p' },
  state: 'running',
  n: 1,
  ended: [],
  hashes: {},
  hashesBefore: {},
  startedAt: NOW,
  changedAt: NOW,
  endsAt: NOW + 1_000,
  looks: 0,
};

const grants = (of: Run = run) =>
  buildRunGrants(of, runbook, {
    space: 'home',
    buildAction: ({ tool, args }) => buildCall({ tool, args, explanation: '' }, { webhookUrls: URLS }),
    mayCover: (tool) => tool !== 'forget',
    now: NOW,
  });
const grantAt = (at: readonly number[], kind: 'step' | 'undo' = 'step', of: Run = run) => {
  const id = grantOfStep(of, { at: [...at], kind, tries: 0, since: NOW, endsAt: NOW });
  return grants(of).find((one) => one.id === id);
};
const webhook = (body: object, to = 'deployer') =>
  buildCall(
    { tool: 'call-webhook', args: { webhook: to, body: JSON.parse(JSON.stringify(body)) }, explanation: 'x' },
    { webhookUrls: URLS },
  );

describe('buildRunGrants', () => {
  it('makes one for each call that may be covered, as often as it may run', () => {
    expect(grants().map(({ usesMax, loosened }) => [usesMax, loosened.map(({ path }) => path)])).toStrictEqual([
      [3, []],
      [1, ['/body/undo']],
      [5, ['/body/n', '/body/text']],
    ]);
  });

  it.each<[string, readonly number[], 'step' | 'undo', object, string, boolean]>([
    ['the step itself', [0], 'step', { service: 'shop', fixed: 1 }, 'deployer', true],
    ['other inputs', [0], 'step', { service: 'bank', fixed: 1 }, 'deployer', false],
    ['a further field', [0], 'step', { service: 'shop', fixed: 1, more: 1 }, 'deployer', false],
    ['another address', [0], 'step', { service: 'shop', fixed: 1 }, 'other', false],
    ['what takes it back', [0], 'undo', { undo: '4711' }, 'deployer', true],
    ['a value of an answer that is a number', [0], 'undo', { undo: 4711 }, 'deployer', true],
    ['a value of an answer without its shape', [0], 'undo', { undo: 'anything' }, 'deployer', false],
    ['a value of an answer that is longer', [0], 'undo', { undo: '4711\n' }, 'deployer', false],
    ['a list in place of a value', [0], 'undo', { undo: ['4711'] }, 'deployer', false],
    ['another step in place of it', [0], 'step', { undo: '4711' }, 'deployer', false],
    ['an entry of a list', [1, 3, 0], 'step', { n: 3, text: 'shop is up' }, 'deployer', true],
    ['an entry beyond its bound', [1, 3, 0], 'step', { n: 31, text: 'shop is up' }, 'deployer', false],
    ['a value that is none of its list', [1, 3, 0], 'step', { n: 3, text: 'shop is upp' }, 'deployer', false],
    ['an entry without a shape', [1, 3, 1], 'step', { n: 3 }, 'deployer', false],
    ['two values in one text', [1, 3, 2], 'step', { text: '1 is up' }, 'deployer', false],
    ['an entry without a field', [1, 3, 0], 'step', { n: 3 }, 'deployer', false],
  ])('covers or leaves out %s', (_name, at, kind, body, to, isCovered) => {
    const grant = grantAt(at, kind);
    expect(grant !== undefined && isWithin(grant, webhook(body, to), run.session)).toBe(isCovered);
  });

  it('covers nothing of another run, of another conversation, after its uses, or after the run', () => {
    const grant = grantAt([0]);
    if (grant === undefined) throw new Error('there is none');
    const action = webhook({ service: 'shop', fixed: 1 });
    const other: Run = { ...run, id: 'run-ba9876543210', session: 'run:ba9876543210' };
    expect(grantAt([0], 'step', other)?.id).not.toBe(grant.id);
    expect(isWithin(grant, action, other.session)).toBe(false);
    expect(isWithin(grant, action, 'telegram:7')).toBe(false);
    expect(isUsable(grant, run.endsAt - 1)).toBe(true);
    expect(isUsable({ ...grant, uses: grant.usesMax }, NOW)).toBe(false);
    expect(isUsable(grant, run.endsAt)).toBe(false);
  });

  it('makes none for a run that was not approved as a whole', () => {
    const { approved: _approved, ...rest } = run;
    expect(grants(rest)).toStrictEqual([]);
    expect(grantOfStep(rest, { at: [0], kind: 'step', tries: 0, since: NOW, endsAt: NOW })).toBeUndefined();
  });

  it('stands in no list of grants', () => {
    expect(grants().flatMap(({ unfinishedSpace }) => unfinishedSpace ?? [])).toStrictEqual([]);
  });
});
