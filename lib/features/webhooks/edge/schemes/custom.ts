/** Any other sender that signs with HMAC: the owner's entry says how. */
import { type HmacForm, hasSignature, type Scheme, type Source, verifyHmac } from '../scheme.ts';

/** Signed text may have these places, and must have the body. */
const SIGNED = /^[^{}]{0,40}(?:\{(?:id|time)\}[^{}]{0,40}){0,2}\{body\}[^{}]{0,40}$/;
const ALGORITHMS = ['sha256', 'sha1', 'sha512'];

export const findFormProblem = (options: Readonly<Record<string, string>>): string | undefined => {
  const { algorithm = 'sha256', encoding = 'hex', signed = '{body}', time, id } = options;
  if (!ALGORITHMS.includes(algorithm)) return `needs an algorithm of ${ALGORITHMS.join(', ')}`;
  if (encoding !== 'hex' && encoding !== 'base64') return 'needs an encoding of hex, base64';
  if (!SIGNED.test(signed)) return 'needs "signed" with {body}, and {time} or {id} before it, such as "{time}.{body}"';
  if (signed.includes('{time}') !== (time !== undefined))
    return 'needs both "time", the header of the time, and {time} in "signed", or neither';
  return signed.includes('{id}') && id === undefined ? 'needs "id", the header of the id that is signed' : undefined;
};

const formOf = ({ options }: Pick<Source, 'options'>): HmacForm => {
  const { header = '', encoding, event: _event, ...rest } = options;
  return { ...rest, signature: header, encoding: encoding === 'base64' ? 'base64' : 'hex' };
};

export const custom: Scheme = {
  where: 'wherever the sender takes a secret',
  root: 'shared secret',
  carries: (head, source) => hasSignature(formOf(source), head),
  takesForm: true,
  options: {
    header: 'needed',
    prefix: 'possible',
    algorithm: 'possible',
    encoding: 'possible',
    signed: 'possible',
    time: 'possible',
    id: 'possible',
    event: 'possible',
  },
  signing: formOf,
  verify: (request, secret, source, { now }) => verifyHmac(formOf(source), request, secret, now),
};
