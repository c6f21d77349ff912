/** The manual as a source of `recall`. */
import type { RecallSource } from '../../core/tools/recall-source.ts';
import { loadFeatureParts } from '../../core/tools/tool.ts';

export const manualSource: RecallSource = {
  name: 'manual',
  purpose: 'How you work',
  place: { en: 'in the manual', de: 'Im Handbuch' },
  find: async (query) => (await loadFeatureParts()).recallManual(query),
};
