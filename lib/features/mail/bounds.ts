/** Mails an hour to all addresses that are not paired: one who never wrote asked for none. */
export const NEW_ADDRESS_MAILS_MAX = 5;
