/**
 * Leaves secrets out of what an actuator gives back, before any of it is stored or shown (I11). An
 * output with a configured secret is replaced whole, and so is the text that a machine signed. In
 * other outputs, each line that has the form of a secret is replaced. The descriptions of an MCP
 * server's tools are searched too.
 */

import { defined } from '../base/defined.ts';
import { OUTPUT_HIDDEN, OUTPUT_WITH_KEY_HIDDEN } from '../evidence/runner-records.ts';
import { findSecret } from '../gates/rules/find-secrets.ts';
import type { Actuator, ActuatorResult } from '../signal/actuator.ts';
import { storedIn } from '../signal/picture.ts';
import { LINE_LEFT_OUT } from '../text/left-out.ts';
import type { OutputStore } from '../tools/long-output.ts';
import type { McpSession } from '../tools/mcp/servers.ts';
import type { McpOutcome } from '../tools/mcp/session.ts';

type Secrets = ReadonlyMap<string, string>;
export type LeaveOut = (text: string) => string;

/** Halves a text until each part is clean or one line. Few lines hold a secret. */
const leaveOutLines = (lines: readonly string[], secrets: Secrets): readonly string[] => {
  if (findSecret(lines.join('\n'), secrets) === undefined) return lines;
  if (lines.length === 1) return [LINE_LEFT_OUT];
  const half = Math.ceil(lines.length / 2);
  return [lines.slice(0, half), lines.slice(half)].flatMap((part) => leaveOutLines(part, secrets));
};

/** The other lines of a key would stay. */
const HAS_MANY_LINES = /BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY|PuTTY-User-Key-File/;

export const buildLeaveOut =
  (secrets: Secrets, isSigned = false): LeaveOut =>
  (text) => {
    const found = findSecret(text, secrets);
    if (found === undefined) return text;
    if (found.isConfigured) return OUTPUT_HIDDEN;
    if (isSigned || HAS_MANY_LINES.test(text)) return OUTPUT_WITH_KEY_HIDDEN;
    const rest = leaveOutLines(text.split('\n'), secrets).join('\n');
    return findSecret(rest, secrets) === undefined ? rest : OUTPUT_WITH_KEY_HIDDEN;
  };

/** A long output is searched before it is cut: a secret may lie across the cut. */
export const keepWithout =
  (keep: OutputStore['keep'], leaveOut: LeaveOut): OutputStore['keep'] =>
  (id, { text, ...rest }) =>
    keep(id, { ...rest, text: leaveOut(text) });

/** The name of a stored file is no secret and stays: else nothing could erase the file. */
const leaveOutBelowName = (output: string, leaveOut: LeaveOut): string => {
  const rest = leaveOut(output);
  const name = storedIn(output)?.words;
  return name === undefined || storedIn(rest)?.words === name ? rest : `${name}\n\n${rest}`;
};

const cleanResult = (result: ActuatorResult, leaveOut: LeaveOut): ActuatorResult => ({
  ...result,
  ...('reason' in result ? { reason: leaveOut(result.reason) } : {}),
  ...('output' in result ? defined({ output: result.output && leaveOutBelowName(result.output, leaveOut) }) : {}),
});

export const hideSecrets = (actuator: Actuator, leaveOut: LeaveOut): Actuator => ({
  kind: actuator.kind,
  deliver: async (action, context) => cleanResult(await actuator.deliver(action, context), leaveOut),
});

/** A tool whose description holds a secret is none that an approver could accept. */
const cleanOffer = (outcome: McpOutcome, secrets: Secrets): McpOutcome =>
  'offered' in outcome
    ? { ...outcome, offered: outcome.offered.filter((tool) => findSecret(JSON.stringify(tool), secrets) === undefined) }
    : outcome;

export const offerWithout = ({ listServerTools, callServerTool }: McpSession, secrets: Secrets): McpSession => ({
  listServerTools: async (...asked) => cleanOffer(await listServerTools(...asked), secrets),
  callServerTool: async (...called) => cleanOffer(await callServerTool(...called), secrets),
});
