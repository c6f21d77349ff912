/** The list of features: a feature is switched in by one row here, which loads its handlers. */
import type { Feature } from '../core/operations/feature.ts';
import { APPROVAL_OPERATIONS } from '../core/verbs/approvals/operations.ts';
import { SETTING_OPERATIONS } from '../core/verbs/settings/operations.ts';
import { SIGNAL_OPERATIONS } from '../core/verbs/signals/operations.ts';
import { CONSENT_OPERATIONS } from './consent/operations.ts';
import { EVENT_OPERATIONS } from './events/operations.ts';
import { FORGETTING_OPERATIONS } from './forgetting/operations.ts';
import { JOB_OPERATIONS } from './jobs/operations.ts';
import { LINE_OPERATIONS } from './lines/operations.ts';
import { MCP_OPERATIONS } from './mcp/operations.ts';
import { MONEY_OPERATIONS } from './money/operations.ts';
import { NEWS_OPERATIONS } from './news/operations.ts';
import { NOTE_OPERATIONS } from './notes/operations.ts';
import { OUTLINE_OPERATIONS } from './outlines/operations.ts';
import { OUTPUT_OPERATIONS } from './output/operations.ts';
import { PLAN_OPERATIONS } from './plans/operations.ts';
import { POLLING_OPERATIONS } from './polling/operations.ts';
import { PROVIDER_OPERATIONS } from './providers/operations.ts';
import { RECEIPT_OPERATIONS } from './receipts/operations.ts';
import { RUNBOOK_OPERATIONS } from './runbooks/operations.ts';
import { RUNNER_OPERATIONS } from './runner/operations.ts';
import { SKILL_OPERATIONS } from './skills/operations.ts';
import { SUBSCRIPTION_OPERATIONS } from './subscriptions/operations.ts';
import { UNDO_OPERATIONS } from './undo/operations.ts';
import { VOICE_OPERATIONS } from './voice/operations.ts';

export const loadSmall = () => import('./small-handlers.ts');

export const FEATURES: readonly Feature[] = [
  { name: 'telegram', needs: ['chats'], operations: [], loadHandlers: async () => [] },
  { name: 'slack', needs: ['chats', 'webhooks'], operations: [], loadHandlers: async () => [] },
  { name: 'signal', needs: ['chats'], operations: [], loadHandlers: async () => [] },
  {
    name: 'signals',
    operations: SIGNAL_OPERATIONS,
    loadHandlers: async () => (await import('../core/verbs/signals/handlers.ts')).SIGNAL_HANDLERS,
  },
  {
    name: 'output',
    operations: OUTPUT_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).OUTPUT_HANDLERS,
  },
  {
    name: 'receipts',
    operations: RECEIPT_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).RECEIPT_HANDLERS,
  },
  {
    name: 'notes',
    nouns: {
      memory: 'what is remembered; in a group: whether I read memory there (open, ask, close)',
      project: 'projects: begin, end and list them',
    },
    operations: NOTE_OPERATIONS,
    loadHandlers: async () => (await import('./notes/handlers.ts')).NOTE_HANDLERS,
  },
  {
    name: 'outlines',
    needs: ['notes'],
    operations: OUTLINE_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).OUTLINE_HANDLERS,
  },
  {
    name: 'plans',
    needs: ['notes', 'outlines', 'runbooks'],
    nouns: { plan: 'plans as notes: see, edit and approve them' },
    operations: PLAN_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).PLAN_HANDLERS,
  },
  {
    name: 'forgetting',
    needs: ['jobs', 'notes', 'skills'],
    operations: FORGETTING_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).FORGETTING_HANDLERS,
  },
  {
    name: 'approvals',
    nouns: { grants: 'what may happen again without asking' },
    operations: APPROVAL_OPERATIONS,
    loadHandlers: async () => (await import('../core/verbs/approvals/handlers.ts')).APPROVAL_HANDLERS,
  },
  {
    name: 'jobs',
    nouns: { jobs: 'what runs by itself, and when: make, see, change, run' },
    operations: JOB_OPERATIONS,
    loadHandlers: async () => (await import('./jobs/handlers.ts')).JOB_HANDLERS,
  },
  {
    name: 'delegation',
    needs: ['jobs'],
    operations: [],
    loadHandlers: async () => [],
  },
  {
    name: 'events',
    needs: ['jobs', 'webhooks'],
    nouns: { hooks: 'events of other services: see, try and repeat them; and who is told mine' },
    operations: EVENT_OPERATIONS,
    loadHandlers: async () => (await import('./events/handlers.ts')).EVENT_HANDLERS,
  },
  {
    name: 'subscriptions',
    operations: SUBSCRIPTION_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).SUBSCRIPTION_HANDLERS,
  },
  {
    name: 'news',
    operations: NEWS_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).NEWS_HANDLERS,
  },
  {
    name: 'restore',
    needs: ['backup'],
    operations: [],
    loadHandlers: async () => [],
  },
  {
    name: 'runbooks',
    needs: ['jobs', 'skills'],
    nouns: { runbook: 'checked files of steps: see, try and run them; see and stop their runs' },
    operations: RUNBOOK_OPERATIONS,
    loadHandlers: async () => (await import('./runbooks/handlers.ts')).RUNBOOK_HANDLERS,
  },
  {
    name: 'runner',
    needs: ['mcp', 'skills'],
    nouns: { runners: 'machines that perform commands: see, pair, pause, remove' },
    operations: RUNNER_OPERATIONS,
    loadHandlers: async () => (await import('./runner/handlers.ts')).RUNNER_HANDLERS,
  },
  {
    name: 'money',
    needs: ['skills'],
    operations: MONEY_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).MONEY_HANDLERS,
  },
  {
    name: 'settings',
    nouns: {
      config: 'the settings that change while I run: budgets, time zone, home chat and more',
      identity: 'who I am and how I speak',
      chats: 'the chats I serve because they were paired',
    },
    operations: SETTING_OPERATIONS,
    loadHandlers: async () => (await import('../core/verbs/settings/handlers.ts')).SETTING_HANDLERS,
  },
  {
    name: 'mcp',
    needs: ['consent'],
    nouns: { mcp: 'tools of other servers (MCP): see, let in, accept, take away' },
    operations: MCP_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).MCP_HANDLERS,
  },
  {
    name: 'polling',
    needs: ['jobs', 'mcp', 'webhooks'],
    operations: POLLING_OPERATIONS,
    loadHandlers: async () => (await import('./polling/handlers.ts')).POLLING_HANDLERS,
  },
  {
    name: 'consent',
    operations: CONSENT_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).CONSENT_HANDLERS,
  },
  {
    name: 'responses',
    needs: ['door'],
    operations: [],
    loadHandlers: async () => [],
  },
  {
    name: 'providers',
    nouns: { provider: 'the model providers: see, add, try, order, switch off and on, remove' },
    operations: PROVIDER_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).PROVIDER_HANDLERS,
  },
  {
    name: 'lines',
    operations: LINE_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).LINE_HANDLERS,
  },
  {
    name: 'voice',
    operations: VOICE_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).VOICE_HANDLERS,
  },
  {
    name: 'skills',
    needs: ['jobs'],
    nouns: { skill: 'what the agent may do of its own: make, check, add and switch skills' },
    operations: SKILL_OPERATIONS,
    loadHandlers: async () => (await import('./skills/handlers.ts')).SKILL_HANDLERS,
  },
  {
    name: 'learning',
    needs: ['policy', 'skills'],
    operations: [],
    loadHandlers: async () => [],
  },
  {
    name: 'manual',
    operations: [],
    findHelp: async (words, language) => (await loadSmall()).findHelp(words, language),
    loadHandlers: async () => [],
  },
  {
    name: 'traces',
    needs: ['jobs'],
    operations: [],
    loadHandlers: async () => [],
  },
  {
    name: 'undo',
    needs: ['notes', 'skills'],
    operations: UNDO_OPERATIONS,
    loadHandlers: async () => (await loadSmall()).UNDO_HANDLERS,
  },
];
