/**
 * Tells our own write from another's. The AWS client sends a request again if its answer was lost,
 * and the repeat then meets the item as our first try left it. So every write of one item that
 * could mistake itself carries a random token. The item keeps the tokens of its last three writes,
 * so that others who write it between the two tries do not hide ours.
 */
import { randomBytes } from 'node:crypto';
import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type NativeAttributeValue, unmarshall } from '@aws-sdk/util-dynamodb';
import { allOf, type Condition, equals, not, type Predicate } from './condition.ts';

/** Newest first. Short, because every item pays for them by the byte. */
export const TOKEN_NAMES = ['w0', 'w1', 'w2'] as const;

/** 48 bits: a token is only ever compared with two or three others. */
const TOKEN_BYTES = 6;

export const newWriteToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/**
 * The condition, if this write has not been carried out already: a counter would be raised twice.
 */
export const unlessWritten = (token: string, condition: Condition | undefined): Condition => {
  const isNew: Predicate = allOf(...TOKEN_NAMES.map((name) => not(equals(name, token))));
  return condition === undefined
    ? { name: 'it is not written yet', holds: isNew }
    : { name: condition.name, holds: allOf(condition.holds, isNew) };
};

/** An item as callers see it: without tokens. */
export const decodeItem = (raw: Record<string, AttributeValue>): Record<string, NativeAttributeValue> => {
  const { w0: _newest, w1: _second, w2: _third, ...item } = unmarshall(raw);
  return item;
};

/**
 * @returns the item as it stands, if the write that failed with this error had been carried out
 * before.
 */
export const findOwnWrite = (error: unknown, token: string): Record<string, NativeAttributeValue> | undefined => {
  if (!(error instanceof ConditionalCheckFailedException) || error.Item === undefined) return undefined;
  const { Item } = error;
  return TOKEN_NAMES.some((name) => Item[name]?.S === token) ? decodeItem(Item) : undefined;
};
