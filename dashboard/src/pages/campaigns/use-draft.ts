import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../api/client';
import { notifyFault } from '../../api/notify';
import { queryKey } from '../../api/queries';
import type { Campaign, CampaignDetail } from './types';

type Changes = Partial<
  Pick<Campaign, 'name' | 'messaging_account_id' | 'template' | 'mapping' | 'auto_retry'>
>;

/**
 * Saves a draft while it is edited, one change after the other, each based on the result of the one before.
 * @returns whether the change is saved; if not, the fault has been shown
 */
export function useDraft({
  campaign_id: id,
  revision,
}: CampaignDetail): (changes: Changes) => Promise<boolean> {
  const queryClient = useQueryClient();
  const known = useRef(revision);
  const queue = useRef<Promise<boolean>>(Promise.resolve(true));
  useEffect(() => {
    known.current = Math.max(known.current, revision);
  }, [revision]);

  return (changes) => {
    const path = `campaigns/${id}`;
    const save = async () => {
      try {
        const saved = await api.patch<Campaign>(path, { revision: known.current, ...changes });
        known.current = saved.revision;
        return true;
      } catch (error) {
        notifyFault(error);
        return false;
      } finally {
        await queryClient.invalidateQueries({ queryKey: queryKey(path) });
      }
    };
    queue.current = queue.current.then(save);
    return queue.current;
  };
}
