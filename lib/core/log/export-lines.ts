/**
 * An evidence export: one JSON-lines file with everything that a stranger needs, given line by
 * line, so that a large log is never held whole. Pure.
 */
import { hash } from 'node:crypto';
import { hashOf } from '../base/canonical.ts';
import { type Tile, tilePath } from '../evidence/tiles.ts';
import { EXPORT_FORMAT } from '../evidence/verifier/verify-export.ts';
import type { GateSetContent } from '../gates/engine/gate-set-content.ts';
import type { LooseRecord } from './evidence-records.ts';

export interface ExportRecord extends LooseRecord {
  /** Its last leaf; absent while it has none. */
  readonly leaf?: number;
}

export interface ExportParts {
  readonly space: string;
  readonly origin: string;
  /** Epoch milliseconds. */
  readonly exportedAt: number;
  /** Leaves: those of the newest checkpoint. */
  readonly size: number;
  /** Verifier keys the log has had. */
  readonly keys: readonly string[];
  readonly gateSets: readonly GateSetContent[];
  /** The code of gates of skills that the gate sets name, each once. */
  readonly gateCode?: readonly string[];
  readonly leaves: Iterable<string>;
  /** Hash tiles only, in the order of `tilesOfGrowth`. */
  readonly tiles: Iterable<Tile>;
  /** Signed notes, smallest first. */
  readonly checkpoints: Iterable<string>;
  readonly records: Iterable<ExportRecord>;
}

/** Lines without their line feeds. */
export function* buildExportLines(parts: ExportParts): Generator<string> {
  const { space, origin, exportedAt, size, keys } = parts;
  yield JSON.stringify({ type: 'header', format: EXPORT_FORMAT, version: 1, space, origin, exportedAt, size, keys });
  for (const content of parts.gateSets)
    yield JSON.stringify({ type: 'gate-set', version: hashOf('gate-set', content), content });
  for (const code of parts.gateCode ?? [])
    yield JSON.stringify({ type: 'gate-code', sha256: hash('sha256', code), code });
  let index = 0;
  for (const leaf of parts.leaves) {
    yield JSON.stringify({ type: 'leaf', index, leaf });
    index += 1;
  }
  for (const { ref, bytes } of parts.tiles)
    yield JSON.stringify({ type: 'tile', path: tilePath(ref), data: Buffer.from(bytes).toString('base64') });
  for (const note of parts.checkpoints) yield JSON.stringify({ type: 'checkpoint', note });
  for (const record of parts.records) yield JSON.stringify({ type: 'record', ...record });
  yield JSON.stringify({ type: 'end' });
}
