/** Words of a list that the server filters by and the page shows. Pure. */
import type { ListedSignal } from './views.ts';

/** A run that began as promised is told by its signal. */
const AS_PROMISED: readonly string[] = ['fired', 'late'];

/** How it came out. A moment that a job missed never became a decision. */
export const shownOutcome = ({
  state,
  outcome,
  occurrence,
}: Pick<ListedSignal, 'state' | 'outcome' | 'occurrence'>): string =>
  occurrence === undefined || AS_PROMISED.includes(occurrence.state) ? (outcome ?? state) : occurrence.state;

/** `Restart shop`, of the runbook `restart-shop` */
export const titleOf = (runbook: string): string => {
  const words = runbook.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
