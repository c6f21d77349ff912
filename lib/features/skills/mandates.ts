/** Mandates of skills: sentences that may name a few facts, as `{{owner}}`. Pure. */

/** Facts that a mandate may name; a skill's own settings beside them, as `settings.<name>`. */
const MANDATE_FACTS = ['owner', 'assistant', 'zone'] as const;

const FACT = /\{\{\s*([^{}]*?)\s*\}\}/g;

const isKnown = (name: string, settings: readonly string[]): boolean =>
  MANDATE_FACTS.some((fact) => fact === name) || settings.some((setting) => name === `settings.${setting}`);

/** Facts that a mandate names and that do not exist. */
export const factProblems = (
  mandates: readonly string[],
  settings: readonly string[],
): readonly { readonly index: number; readonly problem: string }[] =>
  mandates.flatMap((mandate, index) =>
    [...mandate.matchAll(FACT)].flatMap(([, name = '']) =>
      isKnown(name, settings)
        ? []
        : [
            {
              index,
              problem: `there is no fact {{${name}}}: ${[...MANDATE_FACTS, 'settings.<name>'].join(', ')}`,
            },
          ],
    ),
  );

/** The sentence with its facts filled in, each in one line. */
export const fillMandate = (mandate: string, facts: Readonly<Record<string, string>>): string =>
  mandate.replace(FACT, (_whole, name: string) =>
    Object.hasOwn(facts, name) ? (facts[name] ?? '').replace(/\s+/g, ' ').trim() : '',
  );
