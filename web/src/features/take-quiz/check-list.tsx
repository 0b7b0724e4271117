import type { ReactNode } from 'react';
import type { DeviceKind } from '../../proctoring/device-kind.ts';
import { Glyph, type GlyphName } from '../../ui/glyphs.tsx';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** What else the start depends on, in three lines at most. */
export function CheckList({
  consentAt,
  fullscreen,
  policy,
  device,
}: {
  consentAt: Date | null;
  /** the fullscreen rule applies here */
  fullscreen: boolean;
  policy: { fullscreen: boolean; camera: boolean };
  device: DeviceKind;
}) {
  const lines: [GlyphName, string, ReactNode][] = [
    consentAt === null
      ? [
          'dashed',
          'consent',
          <>
            <b>Consent</b> not given yet
          </>,
        ]
      : [
          'ticked',
          'consent',
          <>
            <b>Consent given</b> at {clock.format(consentAt)}
          </>,
        ],
    [
      'ticked',
      'connection',
      <>
        <b>Connection</b> good; answers are kept on this device if it drops
      </>,
    ],
  ];
  if (fullscreen) {
    lines.push([
      'ticked',
      'fullscreen',
      <>
        <b>Fullscreen</b> opens when you start
      </>,
    ]);
  } else if (policy.fullscreen) {
    lines.push([
      'ring',
      'fullscreen',
      <>
        <b>Fullscreen</b> is not available on this device; the rule does not apply here
      </>,
    ]);
  }
  if (policy.camera && device.mobile) {
    lines.push([
      'ring',
      'camera',
      <>
        <b>Camera</b> is not used on this device
      </>,
    ]);
  }
  return (
    <ul className="mt-5 rounded-lg border border-line bg-surface">
      {lines.map(([glyph, name, text], index) => (
        <li
          key={name}
          className={`flex items-center gap-3 px-4 py-3 text-ink-2 [&_b]:font-medium [&_b]:text-ink ${index > 0 ? 'border-t border-line' : ''}`}
        >
          <Glyph
            name={glyph}
            className={`size-4 ${glyph === 'ticked' ? 'text-ok' : 'text-ink-3'}`}
          />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
