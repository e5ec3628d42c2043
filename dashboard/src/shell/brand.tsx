import { Text } from '@mantine/core';
import { Link } from 'react-router';
import icon from '../icon.svg';
import { strings } from '../strings';
import classes from './brand.module.css';

export function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <img src={icon} alt="" width={28} height={28} />
      <Text fw={650} truncate>
        {strings.common.product}
      </Text>
    </Link>
  );
}
