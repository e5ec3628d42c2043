/** The framework's floor: a NestJS hello world on Express that validates a DTO of six fields, without a database. */
import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Equals, IsBoolean, IsNotEmpty, IsObject, IsOptional, IsString } from 'class-validator';
import { tellParent } from '../child.js';
import { acknowledgement } from './acknowledge.js';

class HelloDto {
  @IsString()
  @IsNotEmpty()
  messaging_account_id: string;

  @IsString()
  @IsNotEmpty()
  phone: string;

  @Equals('template')
  message_type: 'template';

  @IsObject()
  data: object;

  @IsOptional()
  @IsString()
  scheduled_at?: string;

  @IsOptional()
  @IsBoolean()
  auto_retry_on_frequency_cap?: boolean;
}

@Controller('api/v1/messages')
class HelloController {
  @Post('send')
  @HttpCode(202)
  hello(@Body() _body: HelloDto) {
    return acknowledgement(1);
  }
}

@Module({ controllers: [HelloController] })
class HelloModule {}

const app = await NestFactory.create(HelloModule, { logger: ['error', 'warn'] });
// With `transform` the pipe has less to do, which makes the faster floor.
app.useGlobalPipes(new ValidationPipe({ transform: true }));
await app.listen(0, '127.0.0.1');
tellParent({ url: await app.getUrl() });
