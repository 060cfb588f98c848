import type { ComponentChildren } from 'preact'

interface RadioProps {
  readonly name: string
  readonly value: string
  readonly isChecked: boolean
  readonly children: ComponentChildren
}

export const Radio = ({ name, value, isChecked, children }: RadioProps) => (
  <label class="check">
    <input type="radio" name={name} value={value} checked={isChecked} autocomplete="off" />
    <span>{children}</span>
  </label>
)
