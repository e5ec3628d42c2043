/** The provider's id of the message in an event: of an answer, or of a receipt that was the first to tell it. */
const TOLD_ID = `coalesce(e.details ->> 'messageId', e.details ->> 'provider_message_id')`;

/**
 * The messages whose events tell this provider's id. An index on message_logs would have an entry in each of its other
 * indexes written once more when the id comes. Several events may tell one id, and an event one that is not on record.
 */
export const messagesToldAs = (id: string) => `(
          SELECT e.message_log_id FROM message_events e
          WHERE hashtextextended(${TOLD_ID}, 0) = hashtextextended(${id}, 0) AND ${TOLD_ID} IS NOT NULL)`;
