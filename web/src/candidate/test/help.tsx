import { t } from '@invigil/core/texts/i18n';
import { Hand } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { currentAttempt, useAttempt } from '../current-attempt.ts';

/** Raises the hand with one press, and puts it down with another. */
export default function HelpButton({
  inBar,
  onPress,
}: {
  inBar: boolean;
  onPress: (() => void) | undefined;
}) {
  const { hand } = useAttempt();
  return (
    <Button
      variant={inBar ? 'ghost' : 'secondary'}
      icon={<Hand />}
      full={!inBar}
      // The sign stands alone in a narrow bar.
      className={`${inBar ? 'px-2.5! max-xl:[&>span]:sr-only' : ''} ${hand.isUp ? 'text-accent-ink!' : ''}`}
      aria-disabled={hand.isSending || undefined}
      onClick={() => {
        currentAttempt.askForHelp(!hand.isUp);
        onPress?.();
      }}
    >
      {hand.isUp
        ? t(/* a button: no more help is needed */ 'help.down', 'Put your hand down')
        : t(/* a button: somebody is to write a message */ 'help.ask', 'Ask for help')}
    </Button>
  );
}

/** Says that the hand is up, or that the last press did not arrive. */
export function HelpNotice() {
  const { hand } = useAttempt();
  return (
    <p
      className={`flex items-start gap-2 text-sm [&_svg]:mt-px [&_svg]:size-4.5 [&_svg]:flex-none ${hand.hasFailed ? 'text-warn-ink' : 'text-accent-ink'}`}
    >
      <Hand />
      <span>
        {hand.isUp && <span>{t('help.up', 'Your hand is up. Somebody will answer here.')} </span>}
        {hand.hasFailed && (
          <span>
            {t(
              /* a press of “Ask for help” or “Put your hand down” */ 'help.failed',
              'Your last press did not reach the server. Check your connection and press again.',
            )}
          </span>
        )}
      </span>
    </p>
  );
}
