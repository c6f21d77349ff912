/** The modules of findings and stories, which few signals need. */
export { FEATURE_VIEWS } from '../../../features/views.ts';
export { findingTexts } from '../../language/finding-texts.ts';
export { describeOddities } from '../../llm/oddities.ts';
export { findFaults } from '../../llm/provider-cures.ts';
export { findAway } from '../../llm/provider-health.ts';
export { actionSentence } from '../../tools/action-sentence.ts';
