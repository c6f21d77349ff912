/** In the place of STS: credentials that sign three actions on one queue until they end. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { parseJson, readJson } from '../../lib/core/base/json.ts';
import { respond, startSignedServer } from './loopback-server.ts';
import { type Credentials, isSigned } from './table-server/signature.ts';

/** Machines of this start, and their credentials of a quarter of an hour: more are a fault. */
const GRANTS_MAX = 1_000;
const XML = 'text/xml';

const Policy = z.object({
  Statement: z.tuple([z.object({ Effect: z.literal('Allow'), Action: z.array(z.string()), Resource: z.string() })]),
});
const AssumeRole = z.object({
  Action: z.literal('AssumeRole'),
  Policy: z.string(),
  RoleSessionName: z.string().check(z.regex(/^[\w+=,.@-]{2,64}$/)),
  DurationSeconds: z.coerce.number().check(z.minimum(900), z.maximum(3_600)),
});
const QueueRequest = z.object({ QueueUrl: z.string() });

interface Grant {
  readonly credentials: Credentials;
  readonly sessionToken: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** As `sqs:ReceiveMessage`. */
  readonly actions: readonly string[];
  /** `/<account>/<name>`, as the queue's URL ends. */
  readonly queuePath: string;
}

const buildGrant = (form: unknown): Grant => {
  const asked = AssumeRole.parse(form);
  const [{ Action: actions, Resource }] = parseJson('policy', asked.Policy, Policy).Statement;
  const [account, name] = Resource.split(':').slice(4);
  return {
    credentials: {
      accessKeyId: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
      secretAccessKey: randomBytes(30).toString('base64url'),
    },
    sessionToken: randomBytes(30).toString('base64url'),
    expiresAt: Date.now() + asked.DurationSeconds * 1000,
    actions,
    queuePath: `/${account}/${name}`,
  };
};

const answerOf = ({ credentials, sessionToken, expiresAt }: Grant): string =>
  '<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>' +
  `<AccessKeyId>${credentials.accessKeyId}</AccessKeyId>` +
  `<SecretAccessKey>${credentials.secretAccessKey}</SecretAccessKey>` +
  `<SessionToken>${sessionToken}</SessionToken><Expiration>${new Date(expiresAt).toISOString()}</Expiration>` +
  `</Credentials></AssumeRoleResult><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata>` +
  '</AssumeRoleResponse>';

const REFUSED =
  '<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type>' +
  '<Code>ValidationError</Code><Message>only AssumeRole for one queue is known here</Message></Error></ErrorResponse>';

const allows = ({ actions, queuePath, expiresAt, sessionToken }: Grant, request: IncomingMessage, body: Buffer) => {
  const target = String(request.headers['x-amz-target'] ?? '');
  const isNamed = actions.includes(`sqs:${target.slice(target.indexOf('.') + 1)}`);
  if (!isNamed || Date.now() >= expiresAt || request.headers['x-amz-security-token'] !== sessionToken) return false;
  const asked = QueueRequest.safeParse(readJson(body.toString('utf8')));
  // The embedded SQS looks at the end alone, whatever stands before it.
  return asked.success && asked.data.QueueUrl.endsWith(queuePath);
};

export const startQueueGrants = async (credentials: Credentials) => {
  const grants = new Map<string, Grant>();
  const assume = (body: Buffer, response: ServerResponse): void => {
    try {
      const grant = buildGrant(Object.fromEntries(new URLSearchParams(body.toString('utf8'))));
      for (const [id, { expiresAt }] of grants)
        if (Date.now() >= expiresAt || grants.size >= GRANTS_MAX) grants.delete(id);
      grants.set(grant.credentials.accessKeyId, grant);
      respond(response, 200, answerOf(grant), XML);
    } catch {
      respond(response, 400, REFUSED, XML);
    }
  };
  const front = await startSignedServer({
    service: 'sts',
    credentials,
    handle: (_request, body, response) => assume(body, response),
  });
  return {
    origin: front.origin,
    stop: front.stop,
    isGranted: (request: IncomingMessage, body: Buffer): boolean => {
      const id = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? '';
      const grant = grants.get(id);
      return (
        grant !== undefined && isSigned(grant.credentials, 'sqs', request.headers, body) && allows(grant, request, body)
      );
    },
  };
};
