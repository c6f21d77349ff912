/**
 * A text that may not have arrived, and the notice that says so: a child of the text's signal, so
 * that its id names the text and fits a button. Shared by Act, which tells it, and by the ingress,
 * which reads the button. Pure.
 */

/** Template of the notice. */
export const MAY_BE_LOST = 'may-be-lost';

/** Ends the notice's id: it is about action `n` of its parent, after so many tries. */
export const doubtSuffix = (n: number, tries: number): string => `again-${n}-${tries}`;

/** Which try of which text a notice is about; undefined if the id is of anything else. */
export const doubtedBy = (
  id: string,
): { readonly signalId: string; readonly n: number; readonly tries: number } | undefined => {
  const [, signalId, n, tries] = /^([A-Za-z0-9_.:/-]+)\/again-(\d+)-(\d+)$/.exec(id) ?? [];
  return signalId === undefined ? undefined : { signalId, n: Number(n), tries: Number(tries) };
};
