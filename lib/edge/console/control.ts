/**
 * POST /api/stop, POST /api/resume and POST /api/approvals/<id>: the acts of a person that wait for
 * nobody. They have a function of their own, in which no stream, page or list runs and every run
 * ends within milliseconds.
 */
import type { HttpResponse } from '../function-url.ts';
import { decideApproval } from './decide-approval.ts';
import type { ControlDeps } from './deps.ts';
import { answerRoutes, path, type Route } from './routes.ts';
import { postResume, postStop } from './stop.ts';

export const CONTROL_ROUTES: readonly Route<ControlDeps>[] = [
  { method: 'POST', path: path('/api/stop'), needs: 'speak-as-owner', answer: postStop },
  { method: 'POST', path: path('/api/resume'), needs: 'approver', answer: postResume },
  { method: 'POST', path: path('/api/approvals/([^/]+)'), needs: 'approver', answer: decideApproval },
];

/** Answers one function URL event. Never throws. */
export const answerControl = (deps: ControlDeps, event: unknown): Promise<HttpResponse> =>
  answerRoutes({ routes: CONTROL_ROUTES, deps }, event);
