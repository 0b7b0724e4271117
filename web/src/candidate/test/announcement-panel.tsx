import { t } from '@invigil/core/texts/i18n';
import { Megaphone } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Trans } from '../../ui/trans.tsx';
import { type Announcement, announcementText } from '../attempt/announcements.ts';
import { currentAttempt, useAttempt } from '../current-attempt.ts';
import { BarMenu } from './bar-menu.tsx';

/**
 * An administrator's messages and actions, one after the other, each until its OK. Each is announced once and
 * politely, without taking the focus. The panel is placed away from the options, the camera, the time and the
 * state of saving, and above the dialog of the submit; after the last OK the focus returns to where it was.
 */
export function AnnouncementPanel() {
  const { announcements } = useAttempt();
  const before = useRef<HTMLElement | null>(null);
  const spoken = useNewest(announcements);
  const [shown, ...others] = announcements;
  const ok = () => {
    if (shown !== undefined) currentAttempt.acknowledge(shown.id);
    if (others.length > 0) return;
    before.current?.focus();
    before.current = null;
  };
  return (
    <>
      <p role="status" aria-live="polite" className="sr-only">
        {spoken.map((one) => {
          const { title, text } = announcementText(one);
          return <span key={one.id}>{`${title}: ${text} `}</span>;
        })}
      </p>
      {shown !== undefined && (
        <section
          aria-label={t('announcements.from', 'From the administrator')}
          data-announcements=""
          onFocus={({ relatedTarget, currentTarget }) => {
            if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) {
              before.current = relatedTarget;
            }
          }}
          className="fixed inset-x-3 bottom-[calc(5rem+env(safe-area-inset-bottom))] pointer-events-auto z-45 grid max-h-[45dvh] animate-enter grid-cols-[auto_minmax(0,1fr)] gap-x-3 overflow-y-auto rounded-lg border border-accent-line bg-raised p-4 pb-0 shadow-md md:inset-e-auto md:w-88 short:bottom-[calc(3.25rem+env(safe-area-inset-bottom))] short:max-h-[70dvh] short:md:w-120 lg:bottom-22 lg:inset-s-6"
        >
          <Megaphone className="mt-0.5 size-5 flex-none text-accent-ink" />
          <AnnouncementText key={shown.id} announcement={shown} />
          {/* OK stays visible for any length of message. */}
          <div className="sticky bottom-0 col-span-2 flex items-center justify-end gap-4 bg-raised py-3">
            {others.length > 0 && (
              <span className="text-sm text-ink-2">
                {t(
                  /* messages of the administrator that wait behind this one */
                  'announcements.more',
                  '{n, plural, other {# more after this}}',
                  { n: others.length },
                )}
              </span>
            )}
            <Button
              size="candidate"
              // The second press of a double click is not for the next message, which nobody has seen yet.
              onClick={({ detail }) => detail > 1 || ok()}
            >
              {t(/* a button: the message was read */ 'announcements.ok', 'OK')}
            </Button>
          </div>
        </section>
      )}
    </>
  );
}

/** The announcements that came with the last change: what was announced before is not repeated. */
function useNewest(announcements: readonly Announcement[]): readonly Announcement[] {
  const [newest, setNewest] = useState<readonly Announcement[]>([]);
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const news = announcements.filter(({ id }) => !known.current.has(id));
    if (news.length === 0) return;
    known.current = new Set([...known.current, ...news.map(({ id }) => id)]);
    setNewest(news);
  }, [announcements]);
  return newest;
}

/** Counts down the seconds until an end; the announced text does not change. */
function AnnouncementText({ announcement }: { announcement: Announcement }) {
  const [passedMs, setPassedMs] = useState(0);
  const isCounting = announcement.kind === 'ending';
  useEffect(() => {
    if (!isCounting) return;
    const since = performance.now();
    const timer = setInterval(() => setPassedMs(performance.now() - since), 250);
    return () => clearInterval(timer);
  }, [isCounting]);
  const { title, text } = announcementText(
    isCounting ? { ...announcement, ms: announcement.ms - passedMs } : announcement,
  );
  return (
    <div>
      <h2>{title}</h2>
      <p dir="auto" className="text-md break-words whitespace-pre-line text-ink-2">
        {text}
      </p>
    </div>
  );
}

/** All messages of the attempt, the newest first, to be read again; nothing before the first. */
export function MessagesMenu({ className = '' }: { className?: string }) {
  const { messages } = useAttempt();
  if (messages.length === 0) return null;
  return (
    <BarMenu
      label={t('announcements.list', 'Messages from the administrator')}
      button={
        <>
          <Megaphone />
          <span>
            <Trans
              comment="a button of the bar; small screens hide the word"
              id="announcements.messages"
              message="<word>Messages </word>({n})"
              values={{ n: messages.length }}
              components={{ word: <span className="max-lg:sr-only" /> }}
            />
          </span>
        </>
      }
      className={className}
    >
      <h2>{t('announcements.list', 'Messages from the administrator')}</h2>
      <ul className="mt-2">
        {messages.toReversed().map(({ id, text, at }) => (
          <li key={id} className="border-t border-line py-2.5 first:border-t-0 last:pb-0">
            <p className="text-sm text-ink-3">{formatTime(at)}</p>
            <p dir="auto" className="text-md break-words whitespace-pre-line text-ink-2">
              {text}
            </p>
          </li>
        ))}
      </ul>
    </BarMenu>
  );
}

/** Space at the end of the page, so that content behind the panel can be scrolled up. */
export function AnnouncementSpace() {
  const { announcements } = useAttempt();
  return announcements.length > 0 && <div aria-hidden="true" className="h-[45dvh]" />;
}
