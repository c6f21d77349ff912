/**
 * `replay`: runs the gates again on what a stack stored, and says whether every trace comes out the
 * same to the last byte. Exit 1 on a difference: either the evidence or the gates are not what they
 * were.
 */
import { GATE_SET } from '../../../lib/gates/engine/gate-set.ts';
import type { Evidence } from '../../../lib/stages/explain/evidence.ts';
import type { Client } from '../client.ts';
import { collectEvidence, parseSince } from '../collect-evidence.ts';
import type { Command } from '../command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { type ReplayKind, replayEvidence } from '../pipeline/replay-evidence.ts';
import { printable } from '../printable.ts';

/** The count is shown so often: a run that takes less shows none. */
const PROGRESS_MS = 1_000;

const WORDS: Readonly<Record<ReplayKind, string>> = {
  identical: 'the same to the last byte',
  different: 'different',
  'other-version': 'made under another gate set',
  forgotten: 'forgotten',
  withheld: 'approval cards (not given out)',
};

async function* oneOf(client: Client, id: string): AsyncGenerator<Evidence> {
  yield await client.evidence(id);
}

export const replay: Command = {
  name: 'replay',
  usage: '[signal]',
  summary: 'run the gates again on what is stored: every trace must come out the same',
  options: { since: { type: 'string', value: 'time', help: 'all signals since then, such as 7d or 12h' } },
  argCount: [0, 1],
  run: async ({ args: [id], text, client, terminal, now }) => {
    const since = text('since');
    if ((id === undefined) === (since === undefined))
      throw new CliError(
        EXIT.usage,
        'replay takes a signal or --since',
        'usage: passepartout replay <signal> | --since 7d',
      );
    const stack = await client();
    const { hash } = await stack.policy();
    const counts: Record<ReplayKind, number> = {
      identical: 0,
      different: 0,
      'other-version': 0,
      forgotten: 0,
      withheld: 0,
    };
    const differences: { signal: string; where: string; difference: string }[] = [];
    const found = id === undefined ? collectEvidence(stack, parseSince(since ?? '', now())) : oneOf(stack, id);
    let decisions = 0;
    let shownAt = now();
    for await (const evidence of found) {
      if (evidence.decision !== null) decisions += 1;
      for (const { kind, where, difference } of replayEvidence(GATE_SET, evidence, [hash])) {
        counts[kind] += 1;
        if (kind === 'different') differences.push({ signal: evidence.id, where, difference });
      }
      if (now() - shownAt >= PROGRESS_MS) {
        terminal.progress(`${decisions} decisions`);
        shownAt = now();
      }
    }
    terminal.progress('');
    if (terminal.isJson) terminal.json({ decisions, counts, differences });
    else {
      terminal.line(
        `${decisions} ${decisions === 1 ? 'decision' : 'decisions'} replayed on gate set ${GATE_SET.version.slice(0, 12)}`,
      );
      for (const kind of Object.keys(WORDS).filter((one): one is ReplayKind => one in WORDS))
        if (counts[kind] > 0 || kind === 'different')
          terminal.line(`  ${String(counts[kind]).padStart(6)}  ${WORDS[kind]}`);
      for (const { signal, where, difference } of differences)
        terminal.line(terminal.paint('red', `  ${printable(signal)}, ${where}: ${printable(difference)}`));
    }
    return differences.length > 0 ? EXIT.failed : EXIT.ok;
  },
};
