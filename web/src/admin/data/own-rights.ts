import {
  type Grant,
  includes,
  isNowhere,
  may,
  type Permission,
  type Place,
  reachOf,
} from '@invigil/core/domain/rights';
import { useCallback } from 'react';
import { useSession } from '../../lib/person/session.tsx';

const NONE: readonly Grant[] = [];

/** The roles of the administrator who is signed in. */
export const useOwnGrants = () => useSession().account?.grants ?? NONE;

/** Whether they may do something at a place; without one, everywhere. */
export function useMay() {
  const grants = useOwnGrants();
  return useCallback(
    (permission: Permission, place?: Place) => may(grants, permission, place),
    [grants],
  );
}

/** Whether there is an assessment or a category where they may. */
export function useMayAnywhere() {
  const grants = useOwnGrants();
  return useCallback((permission: Permission) => !isNowhere(reachOf(grants, permission)), [grants]);
}

/** Whether they see of everyone whose attempts they read who it is; with one blind review, of no one in lists. */
export function useSeesWhoseAttempts(): boolean {
  const grants = useOwnGrants();
  return includes(reachOf(grants, 'people.see'), reachOf(grants, 'records.see'));
}
