/**
 * A hash over all its notes, which earlier releases kept on a document they took in. With it, or with the hash and nonce of an object
 * that holds it, a forgotten note could be guessed by whoever knows the others (I10): so it goes from the documents above what is
 * forgotten, in every version, and with the nonce, so that no hash of the version can be made again. Pure.
 */
import type { LiveObject, MemoryObject } from './object.ts';

const NAME = 'passepartout:hash';

/** @returns undefined where the object holds none; its hash is left as it is. */
export const withoutImportHash = (object: MemoryObject, newNonce: () => string): LiveObject | undefined => {
  if (object.state !== 'live' || object.attributes.properties?.[NAME] === undefined) return undefined;
  const { [NAME]: _, ...properties } = object.attributes.properties;
  return { ...object, attributes: { ...object.attributes, properties }, nonce: newNonce() };
};
