/**
 * `replay`: runs the gates again on everything stored. If a trace differs, either the evidence or
 * the gates have changed, and the exit code is 1.
 */
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { type ReplayKind, replayEvidence } from '../../../lib/core/wings/signals/replay-evidence.ts';
import type { Evidence } from '../../../lib/core/wings/signals/signal-evidence.ts';
import { loadEvidence, loadPolicy, type StackAccess } from '../client.ts';
import type { Command } from '../command.ts';
import { buildHttpSource } from '../evidence/http-source.ts';
import { loadGateSets } from '../evidence/load-gate-sets.ts';
import { parseSince, readPastEvidence } from '../evidence/past-evidence.ts';
import { CliError, countOf, EXIT, printable, show } from '../terminal.ts';

/** Pause between two lines of progress; a short run shows none. */
const PROGRESS_MS = 1_000;

/** The kinds of outcomes, in the order of the report. */
const KINDS: readonly (readonly [ReplayKind, string])[] = [
  ['identical', 'the same to the last byte'],
  ['different', 'different'],
  ['other-version', 'made under another gate set'],
  ['forgotten', 'forgotten'],
  ['withheld', 'approval cards (not given out)'],
];

async function* loadOne(access: StackAccess, id: string): AsyncGenerator<Evidence> {
  yield await loadEvidence(access, id);
}

export const replay: Command = {
  name: 'replay',
  usage: '[signal]',
  summary: 'run the gates again on what is stored: every trace must come out the same',
  options: { since: { type: 'string', value: 'time', help: 'all signals since then, such as 7d or 12h' } },
  argCount: [0, 1],
  run: async ({ args: [id], text, access, terminal, now }) => {
    const since = text('since');
    if ((id === undefined) === (since === undefined))
      throw new CliError(
        EXIT.usage,
        'replay takes a signal or --since',
        'usage: npx passepartout replay <signal> | --since 7d',
      );
    const stack = await access();
    const { hash } = await loadPolicy(stack);
    const others = await loadGateSets(buildHttpSource(stack));
    const counts: Record<ReplayKind, number> = {
      identical: 0,
      different: 0,
      'other-version': 0,
      forgotten: 0,
      withheld: 0,
    };
    const differences: { signal: string; where: string; difference: string }[] = [];
    const past = id === undefined ? readPastEvidence(stack, parseSince(since ?? '', now())) : loadOne(stack, id);
    let decisions = 0;
    let shownAt = now();
    for await (const evidence of past) {
      if (evidence.decision !== null) decisions += 1;
      for (const { kind, where, difference } of replayEvidence(GATE_SET, evidence, [hash], others)) {
        counts[kind] += 1;
        if (kind === 'different') differences.push({ signal: evidence.id, where, difference });
      }
      if (now() - shownAt < PROGRESS_MS) continue;
      terminal.progress(`${decisions} decisions`);
      shownAt = now();
    }
    terminal.progress('');
    const shown = KINDS.filter(([kind]) => counts[kind] > 0 || kind === 'different');
    show(terminal, { decisions, counts, differences }, [
      `${countOf(decisions, 'decision')} replayed on gate set ${GATE_SET.version.slice(0, 12)}`,
      ...shown.map(([kind, words]) => `  ${String(counts[kind]).padStart(6)}  ${terminal.say(words)}`),
      ...differences.map(({ signal, where, difference }) =>
        terminal.paint('red', `  ${printable(signal)}, ${where}: ${printable(difference)}`),
      ),
    ]);
    return differences.length > 0 ? EXIT.failed : EXIT.ok;
  },
};
