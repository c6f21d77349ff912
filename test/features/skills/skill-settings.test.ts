import { describe, expect, it } from 'vitest';
import { isOffBySkill } from '../../../lib/core/ledger/old-sentences.ts';
import type { OwnerSettings } from '../../../lib/core/ledger/owner-settings.ts';
import type { StepCue } from '../../../lib/core/llm/choose-model.ts';
import { whyNarrowed } from '../../../lib/core/signal/narrow-tools.ts';
import { OFF_AT_FIRST } from '../../../lib/features/skills/built-in-tools.ts';
import { isSkillOn, whyOff } from '../../../lib/features/skills/skill-on.ts';
import { activeSkills, skillTier } from '../../../lib/features/skills/skill-settings.ts';
import { SKILLS } from '../../../lib/features/skills/skills.ts';

const settings = (values: Readonly<Record<string, string>> = {}): OwnerSettings => ({
  schemaVersion: 1,
  round: 1,
  fields: Object.fromEntries(
    Object.entries(values).map(([field, value]) => [`skill.${field}`, { value, by: 'telegram:7', at: 1 }]),
  ),
});
const ALL = [
  'remember',
  'recall',
  'calculate',
  'run-code',
  'read-output',
  'call-webhook',
  'schedule-job',
  'edit-skill',
  'mcp-tracker-search',
];

describe('whyOff', () => {
  it.each([
    ['recall', settings(), undefined],
    ['recall', settings({ 'notes.is': 'off' }), 'the skill notes is off'],
    ['recall', settings({ 'notes.is': 'on' }), undefined],
    ['calculate', settings({ 'notes.is': 'off' }), undefined],
    ['mcp-tracker-search', settings({ 'servers.is': 'off' }), 'the skill servers is off'],
    ['recall', undefined, 'which skills are on cannot be read'],
    ['mcp-tracker-search', undefined, 'which skills are on cannot be read'],
    ['nobodys-tool', undefined, undefined],
  ])('says of %s why it may not be used (I3)', (tool, set, reason) => {
    expect(whyOff(tool, set)).toBe(reason);
    expect(isOffBySkill({ policyReason: reason ?? 'the policy says so' })).toBe(reason !== undefined);
  });
});

describe('whyNarrowed', () => {
  it.each([
    ['recall', undefined, undefined],
    ['recall', { name: 'tidy', hash: 'a' }, undefined],
    ['recall', { name: 'tidy', hash: 'a', only: [['recall'], ['rec*']] }, undefined],
    [
      'remember',
      { name: 'tidy', hash: 'a', only: [['recall', 'remember'], ['recall']] },
      'the skill tidy does not list it',
    ],
    ['read-skill', { name: 'tidy', hash: 'a', only: [[]] }, undefined],
  ])('says of %s why the shown skill leaves it out', (tool, shown, reason) => {
    expect(whyNarrowed(tool, shown)).toBe(reason);
    expect(isOffBySkill({ policyReason: reason ?? 'the policy says so' })).toBe(reason !== undefined);
  });
});

describe('activeSkills', () => {
  it('are those that are on and whose tools are offered, in the order of the table', () => {
    const names = (tools: readonly string[], set: OwnerSettings | undefined) =>
      activeSkills(tools, set).map(({ name }) => name);
    // Skills of built-in maintenance have tools that no model is offered.
    const offered = SKILLS.filter(({ owns }) => ALL.some(owns)).map(({ name }) => name);
    expect(names(ALL, settings())).toStrictEqual(offered);
    expect(names(['call-webhook', 'recall'], settings())).toStrictEqual(['notes', 'webhooks']);
    expect(names(ALL, settings({ 'notes.is': 'off' }))).toStrictEqual(offered.slice(1));
    expect(names([], settings())).toStrictEqual([]);
    expect(names(ALL, undefined)).toStrictEqual([]);
  });
});

describe('skillTier', () => {
  const cue = (changes: Partial<StepCue>): StepCue => ({
    sensor: 'chat-message',
    text: '',
    resultTools: [],
    ...changes,
  });
  it.each<[string, Partial<StepCue>, Readonly<Record<string, string>>, ReturnType<typeof skillTier>]>([
    ['no skill is meant', { text: 'hello' }, { 'notes.tier': 'reasoning' }, undefined],
    ['one is meant that asks for none', { text: 'remember this' }, {}, undefined],
    [
      'it was set, and its words stand in the text',
      { text: 'Remember this' },
      { 'notes.tier': 'reasoning' },
      { skill: 'notes', tier: 'reasoning', isSet: true },
    ],
    [
      'it was set, and its tool was used',
      { sensor: 'tool-output', resultTools: ['recall'] },
      { 'notes.tier': 'cognition' },
      { skill: 'notes', tier: 'cognition', isSet: true },
    ],
    [
      'it was set, and the sensor is its own',
      { sensor: 'webhook' },
      { 'webhooks.tier': 'reasoning' },
      { skill: 'webhooks', tier: 'reasoning', isSet: true },
    ],
    [
      'the skill itself asks for it',
      { text: 'write me a script' },
      {},
      { skill: 'programs', tier: 'reasoning', isSet: false },
    ],
    ['that was taken back', { text: 'write me a script' }, { 'programs.tier': 'auto' }, undefined],
    [
      'what was set counts before what a skill asks for',
      { text: 'remember to write a script' },
      { 'notes.tier': 'cognition' },
      { skill: 'notes', tier: 'cognition', isSet: true },
    ],
    [
      'of two that were set the larger',
      { text: 'calculate and remember' },
      { 'notes.tier': 'cognition', 'calculation.tier': 'reasoning' },
      { skill: 'calculation', tier: 'reasoning', isSet: true },
    ],
    ['a skill that is off', { text: 'remember' }, { 'notes.tier': 'reasoning', 'notes.is': 'off' }, undefined],
  ])('is asked for where %s', (_, changes, values, expected) => {
    const set = settings(values);
    expect(skillTier(activeSkills(ALL, set), set, cue(changes))).toStrictEqual(expected);
  });

  it('is nobody’s where the settings cannot be read', () => {
    expect(skillTier(SKILLS, undefined, cue({ text: 'write me a script' }))).toBe(undefined);
  });
});

describe('isSkillOn', () => {
  it('is what the owner said last, and else what the skill says', () => {
    const [offAtFirst] = OFF_AT_FIRST;
    expect(isSkillOn('notes', settings())).toBe(true);
    expect(isSkillOn('notes', settings({ 'notes.is': 'off' }))).toBe(false);
    if (offAtFirst === undefined) return;
    expect(isSkillOn(offAtFirst, settings())).toBe(false);
    expect(isSkillOn(offAtFirst, settings({ [`${offAtFirst}.is`]: 'on' }))).toBe(true);
  });
});
