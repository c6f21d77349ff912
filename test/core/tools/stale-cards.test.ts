/** What changed since it was asked stands on the card above the fold. */

import { describe, expect, it } from 'vitest';
import { EDIT_FORM } from '../../../lib/core/tools/note-forms.ts';
import type { FormContext, ToolForm } from '../../../lib/core/tools/tool.ts';
import { OFFER_FORM } from '../../../lib/features/learning/offer-form.ts';
import { RUNBOOK_FORM } from '../../../lib/features/runbooks/runbook-form.ts';
import { EDIT_SKILL_FORM } from '../../../lib/features/skills/tools/edit-skill-form.ts';
import { describeMarked } from '../../support/marked.ts';

const context: FormContext = {
  now: 0,
  zone: 'UTC',
  reply: { target: 'telegram', to: '7' },
  loadNotes: async () => new Map(),
  readRow: async () => undefined,
  loadLookups: async () => ({
    readSkill: async () => ({ skill: { definition: {}, hash: '' } as never, files: [], machineFiles: [] }),
  }),
  records: {},
};
const HASH = 'a'.repeat(64);
const ID = 'b'.repeat(32);
const edit = { skill: 'house', file: 'a', replace: 'b', with: 'c', before: HASH, after: HASH };
const offer = {
  kind: 'advice',
  shape: HASH,
  evidence: ['con-1', 'con-2', 'con-3'].map((id) => ({ id, at: 1 })),
  tool: 'recall',
  reason: 'r',
  advice: 'a',
};
const run = { runbook: 'deploy', hash: HASH, inputs: {}, approveWhole: false };

describe('notable', () => {
  it.each<[string, ToolForm, Parameters<ToolForm['describe']>[0], string]>([
    ['a skill', EDIT_SKILL_FORM, edit, 'This change cannot be made any more: '],
    ['a note', EDIT_FORM, { id: ID, text: 'x', version: 1 }, `Note: ${ID}, which is not there any more`],
    ['an offer', OFFER_FORM, { offer }, 'The evidence cannot be read here: do not approve this.'],
    ['a runbook', RUNBOOK_FORM, run, 'A run of deploy, which cannot be shown: '],
  ])('names %s that is not as it was', async (_name, form, args, line) => {
    expect((await describeMarked(form, args, context)).notable).toStrictEqual([expect.stringContaining(line)]);
  });
});
