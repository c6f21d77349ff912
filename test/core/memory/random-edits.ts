/**
 * Random changes of memory, for property tests: small numbers pick among what there is, so that a
 * run is the same wherever it is played. Each becomes edits for memory, and the same step in the
 * plain model.
 */

import type { Arbitrary } from 'fast-check';
import type { Maker } from '../../../lib/core/memory/children.ts';
import type { Edit } from '../../../lib/core/memory/edit.ts';
import { fc } from '../../support/fast-check.ts';
import { aNode } from './notes.ts';
import { FORGOTTEN, type PlainModel } from './plain-model.ts';

export type RandomStep =
  | { readonly op: 'create'; readonly at: number; readonly before: number; readonly count: number }
  | { readonly op: 'update' | 'remove' | 'forget'; readonly at: number }
  | { readonly op: 'move'; readonly at: number; readonly to: number; readonly before: number }
  | { readonly op: 'rollback'; readonly back: number };

const pick = fc.nat(1_000);

export const randomSteps = (maxLength: number, countMax: number): Arbitrary<readonly RandomStep[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          op: fc.constant('create' as const),
          at: pick,
          before: pick,
          // Few as a rule, and at times so many that there have to be buckets.
          count: fc.oneof(
            { weight: 5, arbitrary: fc.integer({ min: 1, max: 12 }) },
            { weight: 1, arbitrary: fc.constant(countMax) },
          ),
        }),
      },
      { weight: 3, arbitrary: fc.record({ op: fc.constant('update' as const), at: pick }) },
      { weight: 4, arbitrary: fc.record({ op: fc.constant('move' as const), at: pick, to: pick, before: pick }) },
      { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('remove' as const, 'forget' as const), at: pick }) },
      { weight: 2, arbitrary: fc.record({ op: fc.constant('rollback' as const), back: pick }) },
    ),
    { maxLength },
  );

const choose = <T>(list: readonly T[], n: number): T | undefined =>
  list.length === 0 ? undefined : list[n % list.length];

/** One place in three is no parent at all, one in three comes before a sibling. */
const placeFor = (model: PlainModel, at: number, before: number, not?: string) => {
  const parents = model.live().filter((id) => not === undefined || !model.isBelow(id, not));
  const parent = at % 3 === 0 ? undefined : choose(parents, at);
  const siblings = parent === undefined ? [] : model.siblings(parent).filter((id) => id !== not);
  const sibling = before % 3 === 0 ? choose(siblings, before) : undefined;
  return { parentId: parent, before: sibling };
};

/**
 * Gives the edits of a step and does the same to the model; `undefined` where there is nothing to
 * do it to.
 */
export const playStep = (
  model: PlainModel,
  step: Exclude<RandomStep, { op: 'rollback' }>,
  maker: Maker,
  text: string,
): readonly Edit[] | undefined => {
  if (step.op === 'create') {
    const place = placeFor(model, step.at, step.before);
    const objects = Array.from({ length: step.count }, (_, n) =>
      aNode(maker.newId(), `${text}.${n}`, {
        signalId: maker.signalId,
        effectId: maker.effectId,
        now: maker.now,
        nonce: maker.newNonce(),
      }),
    );
    model.step((state) => {
      for (const { id, content } of objects) {
        state.nodes.set(id, { text: content, parent: place.parentId ?? '' });
        model.insert(state, id, place.parentId ?? '', place.before);
      }
    });
    return objects.map((object) => ({ kind: 'create', object, place }));
  }
  const id = choose(model.live(), step.at);
  if (id === undefined) return undefined;
  switch (step.op) {
    case 'update':
      model.step((state) => {
        state.nodes.set(id, { text: `${text} updated`, parent: state.nodes.get(id)?.parent ?? '' });
      });
      return [{ kind: 'update', id, content: `${text} updated`, origin: 'owner' }];
    case 'remove':
      model.step((state) => model.remove(state, id));
      return [{ kind: 'remove', id }];
    case 'forget':
      model.forget(id);
      model.step(() => undefined);
      return [{ kind: 'forget', id }];
    case 'move': {
      const place = placeFor(model, step.to, step.before, id);
      model.step((state) => {
        model.detach(state, id);
        state.nodes.set(id, { text: state.nodes.get(id)?.text ?? FORGOTTEN, parent: place.parentId ?? '' });
        model.insert(state, id, place.parentId ?? '', place.before);
      });
      return [{ kind: 'move', id, place }];
    }
  }
};
