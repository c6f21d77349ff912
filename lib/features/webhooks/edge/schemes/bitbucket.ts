/**
 * Bitbucket Cloud: support.atlassian.com, "Manage webhooks" and "Event payloads". Its bodies tell
 * kinds of events apart, but not a first change from a later one: there the header decides.
 */
import type { JsonObject } from '../../../../core/base/json.ts';
import { lookUp } from '../../../../core/text/template.ts';
import { hmac } from '../scheme.ts';

const CHANGED = 'pullrequest.state=OPEN !approval !comment !changes_request';

/**
 * The body says the state of a pull request; only the unsigned header says how it came to be so. A
 * branch that was deleted has no new state.
 */
const tell = (body: JsonObject): JsonObject => {
  const at = (path: string): string => String(lookUp(body, path) ?? '');
  const repository = `${at('repository.full_name')}`;
  if (body.pullrequest !== undefined)
    return {
      line: `: pull request #${at('pullrequest.id')} “${at('pullrequest.title')}” of ${repository} (${at('pullrequest.state')}): ${at('comment.content.raw')} ${at('pullrequest.links.html.href')}`,
    };
  if (body.push === undefined) return { actor: {} };
  const name = at('push.changes.0.new.name');
  const did = name === '' ? `deleted ${at('push.changes.0.old.name')}` : `pushed to ${name}`;
  const message = at('push.changes.0.new.target.message');
  return { line: ` ${did} of ${repository}: “${message}” ${at('repository.links.html.href')}` };
};

export const bitbucket = hmac(
  { signature: 'x-hub-signature', prefix: 'sha256=' },
  {
    where: 'repository, Repository settings, Webhooks, Add webhook: Secret',
    isUnique: true,
    forms: { '': '{{actor.display_name}}{{line}}' },
    values: tell,
    eventHeader: 'x-event-key',
    words: {
      'repo:push': 'push',
      'repo:fork': 'fork',
      'repo:updated': 'changes !issue',
      'repo:commit_comment_created': 'comment commit',
      'repo:commit_status_created': 'commit_status',
      'repo:commit_status_updated': 'commit_status',
      'issue:created': 'issue !changes !comment',
      'issue:updated': 'issue changes',
      'issue:comment_created': 'issue comment !changes',
      'pullrequest:created': CHANGED,
      'pullrequest:updated': CHANGED,
      'pullrequest:approved': 'approval',
      'pullrequest:unapproved': 'approval',
      'pullrequest:changes_request_created': 'changes_request',
      'pullrequest:changes_request_removed': 'changes_request',
      'pullrequest:fulfilled': 'pullrequest.state=MERGED !approval !comment !changes_request',
      'pullrequest:rejected': 'pullrequest.state=DECLINED !approval !comment !changes_request',
      'pullrequest:comment_created': 'pullrequest comment',
      'pullrequest:comment_updated': 'pullrequest comment',
      'pullrequest:comment_deleted': 'pullrequest comment',
    },
  },
);
