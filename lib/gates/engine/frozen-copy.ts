/**
 * A deep, frozen copy of plain data: what gates see, so that none can change what another judges, and what is performed
 * is what was judged. Members whose value is `undefined` are dropped, as canonical JSON does.
 * @throws ProtocolError on anything that is not plain data of bounded depth, and on a `__proto__` key.
 */
import { ProtocolError } from '../../base/errors.ts';
import { JSON_DEPTH_MAX } from '../../base/limits.ts';

const copyOf = (value: unknown, depthLeft: number): unknown => {
  if (value === null || typeof value !== 'object') return value;
  if (depthLeft === 0) throw new ProtocolError('the value is nested too deeply');
  if (Array.isArray(value)) return Object.freeze(value.map((item) => copyOf(item, depthLeft - 1)));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new ProtocolError('the value is not plain data');
  const copy: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__') throw new ProtocolError('the value has a key that objects cannot carry');
    if (child !== undefined) copy[key] = copyOf(child, depthLeft - 1);
  }
  return Object.freeze(copy);
};

/** Actions and facts hold JSON one level down, hence one level more than JSON may have. */
export function frozenCopy<T>(value: T): T;
export function frozenCopy(value: unknown): unknown {
  return copyOf(value, JSON_DEPTH_MAX + 1);
}
