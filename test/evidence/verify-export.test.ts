/** The offline verifier on an honest export: what it vouches for with a key, with an anchor, with neither. */
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyExport } from '../../lib/evidence/verifier/verify-export.ts';
import {
  type Built,
  buildExport,
  buildWorld,
  FIRST_KEY,
  FORGERS_KEY,
  SECOND_KEY,
  textOf,
  type World,
} from './export-world.ts';

let world: World;
let built: Built;
beforeAll(() => {
  world = buildWorld(900);
  built = buildExport(world);
});

describe('verifyExport', () => {
  it('verifies an untouched export', async () => {
    const now = world.exportedAt + 86_400_000;
    const result = await verifyExport(built.lines, { key: textOf(SECOND_KEY), anchor: built.anchor, now });
    expect(result).toStrictEqual({
      status: 'verified',
      space: 'default',
      exportedAt: world.exportedAt,
      leaves: world.leaves.length,
      checkpoints: world.sizes.length,
      root: built.anchor.split('\n')[2],
      isSigned: true,
      isAnchored: true,
      unknownGateSets: [],
      records: world.records.length,
      pending: 2,
      forgotten: 2,
      withheld: 0,
    });
  });
});
void FIRST_KEY;
void FORGERS_KEY;
