import { tellEvents } from '../events/tell.sql.js';

/**
 * A CTE's statement that tells of campaigns that run, are paused or have finished, by the status that they have got.
 * @param campaigns a CTE with the rows of `campaigns` as they are after the change
 * @param now SQL of the service's time
 */
export const tellCampaigns = (campaigns: string, now: string) =>
  tellEvents(
    `
        SELECT c.id AS place, c.tenant_id,
          CASE c.status WHEN 'running' THEN 'campaign.started' ELSE 'campaign.' || c.status END AS type,
          NULL::timestamptz AS occurred_at,
          jsonb_build_object('campaign_id', c.id, 'name', c.name, 'messaging_account_id', n.api_id,
            'template', jsonb_build_object('name', c.template_name, 'language', c.language), 'recipients', c.row_count,
            'accepted', c.accepted_count, 'refused', c.refused_count)
            || CASE WHEN c.status = 'paused' THEN jsonb_build_object('cause', c.cause) ELSE '{}' END AS data
        FROM ${campaigns} c JOIN messaging_accounts n ON n.id = c.messaging_account_id
        WHERE c.status IN ('running', 'paused', 'finished')`,
    now,
  );
