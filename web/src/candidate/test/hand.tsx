import { lazy, Suspense } from 'react';
import { withTexts } from '../../lib/language.ts';
import { Region } from '../../ui/region.tsx';
import { useAttempt } from '../current-attempt.ts';

// The first question does not wait for it.
const load = withTexts(() => import('./help.tsx'));
const HelpButton = lazy(load);
const BreakButton = lazy(async () => ({
  default: (await withTexts(() => import('./paused.tsx'))()).BreakButton,
}));
const HelpNotice = lazy(async () => ({ default: (await load()).HelpNotice }));

/** The button that asks for help, and that of breaks for who has any: in the bar of wide screens, and below a list on small ones. */
export function HandButton({
  inBar = false,
  onPress,
}: {
  inBar?: boolean;
  /** Called after the press. */
  onPress?: () => void;
}) {
  const { participant } = useAttempt();
  return (
    <Region name="The call for help" fallback={null}>
      <span className={inBar ? 'flex max-lg:hidden' : 'grid gap-4 lg:hidden'}>
        <Suspense fallback={null}>
          {participant?.breaks && <BreakButton inBar={inBar} />}
          <HelpButton inBar={inBar} onPress={onPress} />
        </Suspense>
      </span>
    </Region>
  );
}

/**
 * Whether the hand is up, above everything else.
 *
 * @param isInRoom on wide screens it takes the room that is there anyway, so that no option moves
 */
export function HandNotice({ isInRoom = false }: { isInRoom?: boolean }) {
  const { hand } = useAttempt();
  return (
    <Region name="The call for help" fallback={null}>
      <div role="status">
        {(hand.isUp || hand.hasFailed) && (
          <div className={`pb-4 ${isInRoom ? 'lg:-mt-11 lg:min-h-11 lg:pb-0' : ''}`}>
            <Suspense fallback={null}>
              <HelpNotice />
            </Suspense>
          </div>
        )}
      </div>
    </Region>
  );
}
