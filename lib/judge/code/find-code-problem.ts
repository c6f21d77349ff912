/**
 * What is wrong with proposed code, as the fact that the gate `code-validity` judges by. Only parses, never runs; says where
 * and what in fixed words, never a part of the code (I11). Parsers are brought in when the first code of their language is
 * proposed and stand beside the bundles, so that nothing is loaded, or carried, for anything else. Never throws: code that
 * cannot be judged, because it is nested beyond what a parser bears or the parser is not there, has that as its problem.
 */

import { ACTION_BYTES_MAX } from '../../base/limits.ts';
import type { CodeLanguage, CodeProblem } from '../../signal/facts.ts';
import type { Finding, FindProblem } from './finding.ts';
import { findJsonProblem } from './json-problem.ts';
import type { ProposedCode } from './proposed-code.ts';

/** @throws when the package is not there. */
const loadParser = async (language: Exclude<CodeLanguage, 'json'>): Promise<FindProblem> => {
  switch (language) {
    case 'yaml':
      return (await import('./yaml-problem.ts')).findYamlProblem(await import('yaml'));
    case 'javascript':
    case 'typescript':
      return (await import('./script-problem.ts')).findScriptProblem(await import('@babel/parser'), language);
    case 'cedar': {
      const { importCedar } = await import('../policy/engine.ts');
      return (await import('./cedar-problem.ts')).findCedarProblem(await importCedar());
    }
    default: {
      const unknown: never = language;
      throw new Error(`no parser for ${String(unknown)}`);
    }
  }
};

const findIn = async ({ language, form, text }: ProposedCode): Promise<Finding> => {
  try {
    const find = language === 'json' ? findJsonProblem : await loadParser(language);
    return find(text, form);
  } catch (error) {
    const isDeep = error instanceof RangeError;
    return { line: 1, problem: isDeep ? 'it is nested too deeply to be judged' : 'nothing here can judge it' };
  }
};

/** The first problem of the code. Longer code than an action may carry is not looked at: its size blocks it already. */
export const findCodeProblem = async (code: ProposedCode): Promise<CodeProblem | undefined> => {
  if (code.text.length > ACTION_BYTES_MAX) return undefined;
  const found = await findIn(code);
  if (found === undefined) return undefined;
  return { language: code.language, line: found.line + code.linesBefore, problem: found.problem };
};
