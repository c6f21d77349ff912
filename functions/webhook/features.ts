/** The door for services that send events: one row at most. */
import type { OpenEventDoor } from '../../lib/core/operations/event-door.ts';
import { openWebhooks } from '../../lib/features/webhooks/edge/open-webhooks.ts';

export const EVENT_DOORS: readonly OpenEventDoor[] = [openWebhooks];
