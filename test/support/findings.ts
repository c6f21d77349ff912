import { type Finding, sayFinding } from '../../lib/core/language/finding.ts';
import { findingTexts } from '../../lib/core/language/finding-texts.ts';

export const inEnglish = (findings: readonly Finding[]): readonly string[] =>
  findings.map((one) => sayFinding(findingTexts.en, one));
