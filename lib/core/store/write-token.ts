/**
 * Tells our own write from another's. If an answer is lost, the AWS client sends the request again,
 * and the repeat meets the item our first try wrote. So such a write carries a random token. An
 * item keeps the last three, so that other writers in between do not hide ours.
 */
import { randomBytes } from 'node:crypto';
import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type NativeAttributeValue, unmarshall } from '@aws-sdk/util-dynamodb';
import { allOf, type Condition, equals, not, type Predicate } from './condition.ts';

/** Newest first. Short names: every item pays for them by the byte. */
export const TOKEN_NAMES = ['w0', 'w1', 'w2'] as const;

/** 48 bits: a token is compared with three others only. */
const TOKEN_BYTES = 6;

export const newWriteToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The condition, and this write has not been carried out yet. */
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

/** @returns the item, if the failed write had been carried out before */
export const findOwnWrite = (error: unknown, token: string): Record<string, NativeAttributeValue> | undefined => {
  if (!(error instanceof ConditionalCheckFailedException) || error.Item === undefined) return undefined;
  const { Item } = error;
  return TOKEN_NAMES.some((name) => Item[name]?.S === token) ? decodeItem(Item) : undefined;
};
