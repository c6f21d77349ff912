/**
 * A finding: a fault of the stack, as a code with data. Rooms make findings; whoever shows one to a
 * person says it by `finding-texts.ts`. Pure.
 */
import type { English } from './finding-texts.ts';

type Code = keyof English;
type Values = { readonly [C in Code]: Parameters<English[C]> };
export type FindingTexts = { readonly [C in Code]: (...values: Values[C]) => string };

interface CodeFinding<C extends Code> {
  readonly code: C;
  readonly values: Values[C];
}
export type Finding = { readonly [C in Code]: CodeFinding<C> }[Code];

/** @param code of a finding */
export const isAboutModels = (code: string): boolean => ['noModel', 'modelsAway', 'modelProvider'].includes(code);

export const finding = <C extends Code>(code: C, ...values: Values[C]): CodeFinding<C> => ({ code, values });

export const sayFinding = <C extends Code>(say: FindingTexts, { code, values }: CodeFinding<C>): string =>
  say[code](...values);
