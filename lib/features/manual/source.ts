/** The manual as a source of `recall`. */
import { loadFeatureParts } from '../../core/tools/tool.ts';
import type { RecallSource } from '../recall-sources.ts';

export const manualSource: RecallSource = {
  name: 'manual',
  purpose: 'How you work',
  place: { en: 'in the manual', de: 'Im Handbuch' },
  find: async (query) => (await loadFeatureParts()).recallManual(query),
};
