import { type Finding, findingTexts, sayFinding } from '../../lib/language/finding-texts.ts';

export const inEnglish = (findings: readonly Finding[]): readonly string[] =>
  findings.map((one) => sayFinding(findingTexts.en, one));
