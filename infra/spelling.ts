/** Finds the setting that a misspelt name probably meant. Pure. */
import { distance } from '../lib/core/base/distance.ts';
import { isSecretName, SETTING_NAMES, settingOf } from '../lib/core/store/settings.ts';

/** Shorter names resemble too many others. */
const NAME_CHARS_MIN = 8;

const lettersOf = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '');
const OWN = SETTING_NAMES.filter((name) => !['stack', 'derived'].includes(settingOf(name).by ?? ''));

/** Begins and ends as the whole does, and leaves out what is between. */
const isCutFrom = (whole: string, letters: string): boolean =>
  Array.from(letters, (_, at) => at + 1).some(
    (at) => whole.startsWith(letters.slice(0, at)) && whole.endsWith(letters.slice(at)),
  );

/**
 * A key's name with a part left out, such as `OPEN_AI_KEY`, resembles one; in our own file any
 * name. @param awayMax 1 in an environment, which other programs share
 */
export const findMeant = (name: string, awayMax: 1 | 2): string | undefined => {
  const letters = lettersOf(name);
  if (SETTING_NAMES.some((known) => known === name)) return undefined;
  if (letters.length < NAME_CHARS_MIN || letters.startsWith('NPM'))
    return OWN.find((own) => lettersOf(own) === letters);
  const isInFile = awayMax === 2;
  const hasAll = (own: string): boolean =>
    ((isInFile || isSecretName(own)) && isCutFrom(lettersOf(own), letters)) ||
    (isInFile && name.split('_').every((word) => own.split('_').includes(word.toUpperCase())));
  const awayFrom = (own: string): number => {
    if (hasAll(own)) return 1;
    const others = lettersOf(own);
    const lengths = Math.abs(others.length - letters.length);
    return lengths > awayMax ? lengths : distance(letters, others);
  };
  return OWN.map((own) => ({ own, away: awayFrom(own) }))
    .filter(({ away }) => away <= awayMax)
    .sort((a, b) => a.away - b.away)[0]?.own;
};

interface CheckedNames {
  /** A sentence about each name that resembles a setting and does nothing. */
  readonly remarks: readonly string[];
  /** A misspelt bound of spending: without it more could be spent than meant. */
  readonly problems: readonly string[];
}

export const checkNames = (fromFile: readonly string[], environment: readonly string[]): CheckedNames => {
  const found = new Map([
    ...environment.map((name) => [name, findMeant(name, name.startsWith('BUDGET_') ? 2 : 1)] as const),
    ...fromFile.map((name) => [name, findMeant(name, 2)] as const),
  ]);
  const misspelt = [...found].filter(([, meant]) => meant !== undefined);
  const isBound = ([, meant]: readonly [string, string | undefined]): boolean => meant?.startsWith('BUDGET_') === true;
  return {
    remarks: misspelt
      .filter((one) => !isBound(one))
      .map(([name, meant]) => `${name} is no setting and does nothing: did you mean ${meant}?`),
    problems: misspelt.filter(isBound).map(([name, meant]) => `${name}: is no setting; write ${meant}, or remove it`),
  };
};
