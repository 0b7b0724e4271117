import { t } from '@invigil/core/texts/i18n';
import { Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Notice } from '../../ui/notice.tsx';

/**
 * Time until another attempt is accepted. The button stays enabled: a correct one-time password is
 * accepted at any time (product 5). The countdown is not announced.
 */
export function WaitNotice({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const until = performance.now() + seconds * 1_000;
    const timer = setInterval(() => {
      setLeft(Math.max(0, Math.ceil((until - performance.now()) / 1_000)));
    }, 250);
    return () => clearInterval(timer);
  }, [seconds]);

  if (left === 0) return null;
  return (
    <Notice tone="warn" icon={<Clock />}>
      <span aria-hidden="true">
        {t('login.wait', 'Wait {left} s before you try another password.', { left })}
      </span>
    </Notice>
  );
}
