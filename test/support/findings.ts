import { type Finding, sayFinding } from '../../lib/language/finding.ts';
import { findingTexts } from '../../lib/language/finding-texts.ts';

export const inEnglish = (findings: readonly Finding[]): readonly string[] =>
  findings.map((one) => sayFinding(findingTexts.en, one));
